/** Name labels above loose objects. */

import { Group } from "three";
import type { SceneLook } from "../painterProtocol.ts";
import type { Scenery } from "./scenery.ts";
import { Label, LABEL } from "./labels.ts";

/** Gap between object and label, as a share of the label's height. */
const GAP = 0.6;

export class ObjectNames {
  readonly root = new Group();
  private labels: { body: number; label: Label }[] = [];
  private pixel = 0.002;

  set(look: SceneLook): void {
    this.clear();
    look.bodies.forEach(({ name, robot }, body) => {
      if (robot !== "" || name === "") return;
      const label = new Label(name, LABEL);
      label.sprite.center.set(0.5, -GAP);
      this.labels.push({ body, label });
      this.root.add(label.sprite);
    });
    this.resize(this.pixel);
  }

  follow(scenery: Scenery): void {
    if (!this.root.visible) return;
    for (const { body, label } of this.labels) {
      label.sprite.visible = scenery.placed(body);
      scenery.topOf(body, label.sprite.position);
    }
  }

  resize(pixel: number): void {
    this.pixel = pixel;
    for (const { label } of this.labels) label.resize(pixel);
  }

  dispose(): void {
    this.clear();
  }

  private clear(): void {
    for (const { label } of this.labels) label.dispose();
    this.labels = [];
    this.root.clear();
  }
}
