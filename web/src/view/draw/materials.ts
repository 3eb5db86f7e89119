/** Surfaces, one for each colour, shared by everything that has it. */

import { Color, MeshStandardMaterial, SRGBColorSpace } from "three";

type Colour = readonly [number, number, number, number];

/** Things asleep are a little darker and greyer. */
const ASLEEP = { dark: 0.82, grey: 0.25 };

export class Materials {
  private readonly made = new Map<string, MeshStandardMaterial>();

  /** Return the surface of a colour, given as red, green, blue and opacity from 0 to 1. */
  of(colour: Colour, asleep = false): MeshStandardMaterial {
    const key = `${colour.join()}${asleep ? " asleep" : ""}`;
    let material = this.made.get(key);
    if (material === undefined) {
      material = make(colour, asleep);
      this.made.set(key, material);
    }
    return material;
  }

  dispose(): void {
    for (const material of this.made.values()) material.dispose();
    this.made.clear();
  }
}

function make([r, g, b, opacity]: Colour, asleep: boolean): MeshStandardMaterial {
  const color = new Color().setRGB(r, g, b, SRGBColorSpace);
  if (asleep) {
    const grey = color.r * 0.2126 + color.g * 0.7152 + color.b * 0.0722;
    color.lerp(new Color(grey, grey, grey), ASLEEP.grey).multiplyScalar(ASLEEP.dark);
  }
  const transparent = opacity < 1;
  return new MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05, transparent, opacity, depthWrite: !transparent });
}
