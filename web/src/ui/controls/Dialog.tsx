/** A dialog over the page. It keeps the focus and gives it back at the end; Stop stays within reach. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { StopButton } from "./StopButton.tsx";
import { Toaster } from "./Toaster.tsx";

interface Props {
  readonly title: string;
  /** An element inside takes the focus; otherwise Close does, never Stop. */
  readonly focused?: boolean;
  readonly children: ComponentChildren;
}

export function Dialog({ title, focused = false, children }: Props) {
  const { page } = useConsole();
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = place.current;
    if (dialog === null) return;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      // The dialog is gone before the browser would give the focus back.
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = (): void => {
    page.dialog.value = "";
  };
  return (
    <dialog
      ref={place}
      class="dialog"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="box">
        <div class="row head">
          <h2>{title}</h2>
          <span class="grow" />
          <StopButton />
          <button autofocus={!focused} onClick={close}>
            {texts().general.close} <kbd>{texts().keys.names.Escape}</kbd>
          </button>
        </div>
        <div class="body">{children}</div>
        <Toaster />
      </div>
    </dialog>
  );
}
