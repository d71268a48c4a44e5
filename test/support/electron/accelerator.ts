/** The key names that Electron accepts (docs, "Accelerator"; compared ignoring case). */
const modifiers = /^(command|cmd|commandorcontrol|cmdorctrl|control|ctrl|alt|option|altgr|shift|super|meta)$/;
const keys =
  /^([a-z0-9]|f([1-9]|1\d|2[0-4])|[)!@#$%^&*(:;<,>.?/~`{\][|\\}"'_=-]|plus|space|tab|capslock|numlock|scrolllock|backspace|delete|insert|return|enter|up|down|left|right|home|end|pageup|pagedown|escape|esc|volumeup|volumedown|volumemute|medianexttrack|mediaprevioustrack|mediastop|mediaplaypause|printscreen|num[0-9]|numdec|numadd|numsub|nummult|numdiv)$/;

/** Whether Electron accepts this text as a shortcut: any modifiers and one key. */
export function isAccelerator(text: string): boolean {
  const parts = text.toLowerCase().split('+');
  const chosen = parts.filter((part) => !modifiers.test(part));
  return parts.length > 0 && chosen.length === 1 && keys.test(chosen[0] ?? '');
}
