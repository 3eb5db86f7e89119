/** A button that acts while it is held, by pointer or Enter. */

import type { ComponentChildren } from "preact";

interface Props {
  readonly disabled: boolean;
  readonly title: string;
  readonly begin: () => void;
  readonly end: () => void;
  readonly children: ComponentChildren;
}

export function HoldButton({ disabled, title, begin, end, children }: Props) {
  return (
    <button
      class="squeeze"
      disabled={disabled}
      title={title}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        begin();
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onLostPointerCapture={end}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.repeat) begin();
      }}
      onKeyUp={(event) => {
        if (event.key === "Enter") end();
      }}
      onBlur={end}
    >
      {children}
    </button>
  );
}
