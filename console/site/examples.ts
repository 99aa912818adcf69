const LOOK_AGAIN_MS = 1_500
const LOOKS_MAX = 20

/** Shows the answer for an example on the landing page without loading the page again. */
export function showExamples(): void {
  const form = document.querySelector<HTMLFormElement>('form.try')
  const answer = document.querySelector<HTMLElement>('.hero .answer')
  const field = form?.querySelector<HTMLInputElement>('input[name=domain]')
  if (!form || !answer || !field) return
  let asked = ''

  const show = async (domain: string, looks = 0): Promise<void> => {
    const response = await fetch(`/try?domain=${encodeURIComponent(domain)}`)
    if (!response.ok) throw new Error(`the example is refused with ${response.status}`)
    if (domain !== asked) return
    answer.innerHTML = await response.text()
    const isReading = answer.querySelector('[data-reading]') !== null
    if (isReading && looks < LOOKS_MAX) lookAgain(domain, looks + 1)
  }
  /** A look that fails changes nothing: the card has a link that looks again. */
  const lookAgain = (domain: string, looks: number) =>
    setTimeout(() => void show(domain, looks).catch(() => undefined), LOOK_AGAIN_MS)
  const ask = (domain: string) => {
    asked = domain
    field.value = domain
    history.replaceState(null, '', `/?domain=${encodeURIComponent(domain)}`)
    // Without the network the page itself says so.
    show(domain).catch(() => location.assign(`/?domain=${encodeURIComponent(domain)}#answer`))
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(field.value.trim())
  })
  for (const link of form.querySelectorAll<HTMLAnchorElement>('.examples a')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      ask(link.textContent ?? '')
    })
  }
  if (answer.querySelector('[data-reading]')) {
    asked = field.value
    lookAgain(asked, 1)
  }
}
