const SHOWN_MS = 1_500

/** Gives every block of code a button that copies it. */
export function offerCopies(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

async function copy(block: HTMLElement, button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS)
}
