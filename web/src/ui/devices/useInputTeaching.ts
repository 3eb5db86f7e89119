/** Teaching one function: wait until an input moves, then until it rests, then perhaps for the opposite one. */

import { signal, useSignalEffect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Teacher, type Subject } from "../../hand/inputTeacher.ts";
import { useConsole } from "../context.ts";

export interface Lesson {
  readonly current: ReadonlySignal<Subject | null>;
  readonly prompt: ReadonlySignal<string>;
  start(subject: Subject): void;
}

/** Return the lesson of a device; what is learned is saved in its profile. */
export function useLesson(id: string): Lesson {
  const { devices, padStore } = useConsole();
  const { pads } = devices;
  const lesson = useMemo(() => {
    const current = signal<Subject | null>(null);
    const prompt = signal("");
    let teacher: Teacher | null = null;
    const start = (subject: Subject): void => {
      const rest = pads.state(id);
      if (rest === null) return;
      teacher = new Teacher(subject, rest);
      current.value = subject;
      prompt.value = teacher.prompt;
    };
    const look = (): void => {
      const pad = pads.state(id);
      if (teacher === null || pad === null) return;
      const learned = teacher.look(pad, pads.profile(pad));
      prompt.value = teacher.prompt;
      if (learned === null) return;
      padStore.save(id, learned);
      teacher = null;
      current.value = null;
    };
    return { current, prompt, start, look };
  }, [id, pads, padStore]);
  useEffect(() => pads.watch(lesson.look), [lesson, pads]);
  useSignalEffect(() => {
    pads.use = lesson.current.value === null ? "set up" : "teach";
  });
  return lesson;
}
