/** Whether a key that was pressed there belongs to a field or a dialog, and is no shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select, dialog *')
}
