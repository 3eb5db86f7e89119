/** The pictures: the 3D overview, and the cameras of the robot, one of them large. */

import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../language/language.ts";
import { OVERVIEW } from "../../view/index.ts";
import { capital } from "../../state/format.ts";
import { CameraPane, Plate } from "./CameraPane.tsx";
import { useConsole } from "../context.ts";
import { FirstPicture } from "./FirstPicture.tsx";

export function CameraWall() {
  const { view, panes, store } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.append(view.element);
  }, [view]);
  const all = panes.value;
  const overview = all.find((pane) => pane.name === OVERVIEW);
  const size = overview === undefined ? "gone" : overview.large ? "large" : "small";
  return (
    <>
      <div class={`shot overview ${size}`}>
        {size === "large" && <FirstPicture />}
        <div class="picture" ref={place} />
        {overview?.large === false && <Plate pane={overview} />}
      </div>
      {all.length === 0 && store.info.value !== null && (
        <p class="unseeing">{texts().cameras.none(capital(store.robot.value))}</p>
      )}
      {all
        .filter((pane) => pane.camera !== null)
        .map((pane) => (
          <CameraPane key={pane.name} pane={pane} />
        ))}
    </>
  );
}
