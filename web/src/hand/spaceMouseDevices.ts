/** SpaceMice that the operator allows this page to read, by WebHID. They drive as gamepads do. */

import { texts } from "../language/language.ts";
import type { PadState } from "./padProfile.ts";
import { AT_REST, decode, type SpaceMouseState } from "./spaceMouseReport.ts";

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

/** HID usage of a multi-axis controller; receivers and keyboards of the same maker have others. */
const MULTI_AXIS = { usagePage: 0x01, usage: 0x08 };
/** Vendor ids: Logitech, which sold older models, and 3Dconnexion. */
const VENDORS = [0x046d, 0x256f];
const FILTERS = VENDORS.map((vendorId) => ({ vendorId, ...MULTI_AXIS }));

/** Return the browser's WebHID, or null where it is missing or not allowed. */
export function browserHid(browser: Navigator): Hid | null {
  return (browser as Navigator & { hid?: Hid }).hid ?? null;
}

export class SpaceMice {
  private readonly devices = new Map<HidDevice, SpaceMouseState>();

  constructor(
    private readonly hid: Hid | null,
    /** Show a short message. */
    private readonly tell: (text: string) => void,
  ) {}

  /** Return whether this browser can read a SpaceMouse. */
  get offered(): boolean {
    return this.hid !== null;
  }

  /** Read all devices that were allowed before, now and when they are plugged in again. */
  async start(): Promise<void> {
    if (this.hid === null) return;
    this.hid.addEventListener("connect", (event) => void this.take(deviceOf(event)));
    this.hid.addEventListener("disconnect", (event) => this.devices.delete(deviceOf(event)));
    for (const device of await this.hid.getDevices()) await this.take(device);
  }

  /** Let the operator choose a device; call it from a press of a button. */
  async connect(): Promise<void> {
    if (this.hid === null) return;
    for (const device of await this.hid.requestDevice({ filters: FILTERS })) await this.take(device);
  }

  /** Return the state of each device; several of one kind get a number each. */
  states(): PadState[] {
    const seen = new Map<string, number>();
    return [...this.devices].map(([{ productName }, { axes, buttons }]) => {
      const name = productName === "" ? "SpaceMouse" : productName;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return { id: count === 1 ? name : `${name} #${count}`, layout: "spacemouse", axes, buttons };
    });
  }

  private async take(device: HidDevice): Promise<void> {
    if (this.devices.has(device) || !device.collections.some(isMultiAxis)) return;
    this.devices.set(device, AT_REST);
    device.addEventListener("inputreport", this.heard);
    try {
      if (!device.opened) await device.open();
    } catch {
      this.devices.delete(device);
      this.tell(texts().devices.unreadable(device.productName));
    }
  }

  private readonly heard = (event: Event): void => {
    const { reportId, data, currentTarget } = event as Report;
    const state = this.devices.get(currentTarget as HidDevice);
    if (state !== undefined) this.devices.set(currentTarget as HidDevice, decode(state, reportId, data));
  };
}

function deviceOf(event: Event): HidDevice {
  return (event as Event & { device: HidDevice }).device;
}

function isMultiAxis(collection: HidDevice["collections"][number]): boolean {
  return collection.usagePage === MULTI_AXIS.usagePage && collection.usage === MULTI_AXIS.usage;
}
