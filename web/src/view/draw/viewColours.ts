/** Colours of marks and background in the view, the same as on the page, as hexadecimal RGB. */

export const HORIZON = 0x1d242a;
export const ZENITH = 0x0e1215;
export const GRID = 0x8fa3b0;
export const AXES = { x: 0xf0565b, y: 0x4fc98f, z: 0x57b4f0 } as const;
export const AMBER = 0xf0a63a;
export const ALARM = 0xff6b70;
export const CALM = 0xb4c3cd;
export const FREE = 0xdbe1e6;
export const SHADE = 0x080b0d;
export const INFO = 0x5ab6d6;
export const TEXT = "#dbe1e6";
export const PLATE = "rgba(14, 18, 21, 0.72)";
