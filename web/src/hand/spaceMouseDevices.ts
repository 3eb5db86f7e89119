/** SpaceMice that the operator lets this page read, by WebHID. They drive as gamepads do. */

import type { PadState } from "./padProfile.ts";
import { AT_REST, decode, type Puck } from "./spaceMouseReport.ts";

/** The part of `HIDDevice` that is used. */
export interface HidDevice extends EventTarget {
  readonly productName: string;
  readonly opened: boolean;
  readonly collections: readonly { readonly usagePage?: number; readonly usage?: number }[];
  open(): Promise<void>;
}

/** The part of WebHID that is used. */
export interface Hid extends EventTarget {
  getDevices(): Promise<readonly HidDevice[]>;
  requestDevice(options: { filters: readonly object[] }): Promise<readonly HidDevice[]>;
}

interface Report extends Event {
  readonly reportId: number;
  readonly data: DataView;
}

/** A multi-axis controller, among all that a receiver or a keyboard of the same maker offers. */
const MULTI_AXIS = { usagePage: 0x01, usage: 0x08 };
/** Logitech, under which older ones were sold, and 3Dconnexion. */
const MAKERS = [0x046d, 0x256f];
const FILTERS = MAKERS.map((vendorId) => ({ vendorId, ...MULTI_AXIS }));

/** Return the browser's WebHID, or null where it has none or keeps it from this page. */
export function browserHid(browser: Navigator): Hid | null {
  return (browser as Navigator & { hid?: Hid }).hid ?? null;
}

export class SpaceMice {
  private readonly pucks = new Map<HidDevice, Puck>();

  constructor(
    private readonly hid: Hid | null,
    /** Say something to the operator. */
    private readonly tell: (text: string) => void,
  ) {}

  /** Whether this browser can read one at all. */
  get offered(): boolean {
    return this.hid !== null;
  }

  /** Take those that were allowed before, and all that are plugged in again. */
  async start(): Promise<void> {
    if (this.hid === null) return;
    this.hid.addEventListener("connect", (event) => void this.take(deviceOf(event)));
    this.hid.addEventListener("disconnect", (event) => this.pucks.delete(deviceOf(event)));
    for (const device of await this.hid.getDevices()) await this.take(device);
  }

  /** Let the operator choose one; must be called from a press of a button. */
  async connect(): Promise<void> {
    if (this.hid === null) return;
    for (const device of await this.hid.requestDevice({ filters: FILTERS })) await this.take(device);
  }

  /** What they say now; several of one kind get a number each. */
  states(): PadState[] {
    const seen = new Map<string, number>();
    return [...this.pucks].map(([{ productName }, { axes, buttons }]) => {
      const name = productName === "" ? "SpaceMouse" : productName;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return { id: count === 1 ? name : `${name} #${count}`, layout: "spacemouse", axes, buttons };
    });
  }

  private async take(device: HidDevice): Promise<void> {
    if (this.pucks.has(device) || !device.collections.some(isMultiAxis)) return;
    this.pucks.set(device, AT_REST);
    device.addEventListener("inputreport", this.heard);
    try {
      if (!device.opened) await device.open();
    } catch {
      this.pucks.delete(device);
      this.tell(`${device.productName} cannot be read: another program uses it, or this account may not.`);
    }
  }

  private readonly heard = (event: Event): void => {
    const { reportId, data, currentTarget } = event as Report;
    const puck = this.pucks.get(currentTarget as HidDevice);
    if (puck !== undefined) this.pucks.set(currentTarget as HidDevice, decode(puck, reportId, data));
  };
}

function deviceOf(event: Event): HidDevice {
  return (event as Event & { device: HidDevice }).device;
}

function isMultiAxis(collection: HidDevice["collections"][number]): boolean {
  return collection.usagePage === MULTI_AXIS.usagePage && collection.usage === MULTI_AXIS.usage;
}
