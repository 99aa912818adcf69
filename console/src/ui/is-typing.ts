/** Returns true if a key press belongs to a field or a dialog and is not a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select, dialog *')
}
