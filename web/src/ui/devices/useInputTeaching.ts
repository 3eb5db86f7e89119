/** Teaches one function of a device: waits until an input moves, rests, and for some moves the other way. */

import { signal, useSignalEffect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { InputTeacher, type Subject } from "../../hand/inputTeacher.ts";
import { useConsole } from "../context.ts";

export interface InputTeaching {
  readonly current: ReadonlySignal<Subject | null>;
  readonly prompt: ReadonlySignal<string>;
  start(subject: Subject): void;
}

/** Return the teaching of a device; the result is saved in its profile. */
export function useInputTeaching(id: string): InputTeaching {
  const { devices, padStore } = useConsole();
  const { pads } = devices;
  const teaching = useMemo(() => {
    const current = signal<Subject | null>(null);
    const prompt = signal("");
    let teacher: InputTeacher | null = null;
    const start = (subject: Subject): void => {
      const rest = pads.state(id);
      if (rest === null) return;
      teacher = new InputTeacher(subject, rest);
      current.value = subject;
      prompt.value = teacher.prompt;
    };
    const page = (): void => {
      const pad = pads.state(id);
      if (teacher === null || pad === null) return;
      const learned = teacher.look(pad, pads.profile(pad));
      prompt.value = teacher.prompt;
      if (learned === null) return;
      padStore.save(id, learned);
      teacher = null;
      current.value = null;
    };
    return { current, prompt, start, page };
  }, [id, pads, padStore]);
  useEffect(() => pads.watch(teaching.page), [teaching, pads]);
  useSignalEffect(() => {
    pads.use = teaching.current.value === null ? "set up" : "teach";
  });
  return teaching;
}
