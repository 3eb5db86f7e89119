/** The lights of fine pictures; the key light casts shadows around the robots. */

import { DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { Surroundings } from "../painterProtocol.ts";
import { DOME, KEY, RIM } from "./lightModel.ts";

/** Size of the shadow map along each side, pixels. */
const SHADOW_MAP_PX = { card: 2048, software: 1024 };

export class Lights {
  readonly root = new Group();
  private readonly key = new DirectionalLight(KEY.colour, KEY.strength);
  private readonly map: number;

  constructor(software: boolean) {
    this.map = software ? SHADOW_MAP_PX.software : SHADOW_MAP_PX.card;
    const rim = new DirectionalLight(RIM.colour, RIM.strength);
    rim.position.set(...RIM.from);
    const dome = new HemisphereLight(DOME.sky, DOME.ground, DOME.strength);
    dome.position.set(0, 0, 1);
    this.root.add(dome, rim, this.key, this.key.target);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(this.map, this.map);
    this.key.shadow.radius = 4;
    this.key.shadow.intensity = 0.85;
    this.reach({ middle: [0, 0, 0.5], radius: 1.5 });
  }

  /** Cast shadows within these surroundings. */
  reach({ middle, radius }: Surroundings): void {
    const room = radius * 1.5;
    const at = new Vector3(...middle);
    this.key.position.copy(at).addScaledVector(new Vector3(...KEY.from), room * 2);
    this.key.target.position.copy(at);
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -room;
    camera.right = camera.top = room;
    camera.near = room * 0.2;
    camera.far = room * 4;
    camera.updateProjectionMatrix();
    // About one texel: less shades surfaces by themselves, more detaches shadows from objects.
    this.key.shadow.normalBias = (2 * room) / this.map;
    this.key.shadow.bias = -0.0003;
  }

  /** Switch shadows on or off. */
  cast(shadows: boolean): void {
    this.key.castShadow = shadows;
  }

  dispose(): void {
    this.key.dispose();
  }
}
