/** Light: soft from the sky, a key light that casts shadows, and a faint one from behind. */

import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { Surroundings } from "../protocol.ts";

const MAP = 2048;
/** Directions from which the lights come. */
const KEY = new Vector3(0.45, -0.62, 1.05).normalize();
const RIM = new Vector3(-0.7, 0.65, 0.35).normalize();

export class Lights {
  readonly root = new Group();
  private readonly key = new DirectionalLight(0xfff3e2, 2.6);

  constructor() {
    const rim = new DirectionalLight(0xaecbe0, 0.7);
    rim.position.copy(RIM);
    this.root.add(new HemisphereLight(0xdce8f0, 0x3a3833, 1.15), rim, this.key, this.key.target);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(MAP, MAP);
    this.key.shadow.bias = -0.0004;
    this.key.shadow.normalBias = 0.012;
    this.key.shadow.radius = 3;
    this.reach({ middle: [0, 0, 0.5], radius: 1.5 });
  }

  /** Cast shadows within these surroundings. */
  reach({ middle, radius }: Surroundings): void {
    const room = radius * 1.6;
    const at = new Vector3(...middle);
    this.key.position.copy(at).addScaledVector(KEY, room * 2);
    this.key.target.position.copy(at);
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -room;
    camera.right = camera.top = room;
    camera.near = room * 0.2;
    camera.far = room * 4;
    camera.updateProjectionMatrix();
    this.key.shadow.normalBias = room * 0.006;
  }

  /** Switch shadows on or off. */
  cast(shadows: boolean): void {
    this.key.castShadow = shadows;
  }

  dispose(): void {
    this.key.dispose();
  }
}
