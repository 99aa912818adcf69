const STORED = 'language'

/** Makes tabs of the blocks of one example. The language that was chosen once is chosen on every page. */
export function chooseLanguages(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.code-tabs')].map(makeTabs)
  const show = (language: string) => {
    for (const group of groups) group(language)
  }
  const stored = localStorage.getItem(STORED)
  if (stored) show(stored)

  function makeTabs(group: HTMLElement, number: number): (language: string) => void {
    const blocks = [...group.querySelectorAll<HTMLElement>(':scope > .code')]
    const list = document.createElement('div')
    list.className = 'tabs'
    list.setAttribute('role', 'tablist')
    list.setAttribute('aria-label', 'Language')
    const tabs = blocks.map((block, index) => {
      const tab = document.createElement('button')
      tab.type = 'button'
      tab.textContent = block.dataset['name'] ?? ''
      tab.id = `tab-${number}-${index}`
      tab.setAttribute('role', 'tab')
      block.id = `panel-${number}-${index}`
      block.setAttribute('role', 'tabpanel')
      block.setAttribute('aria-labelledby', tab.id)
      tab.setAttribute('aria-controls', block.id)
      tab.addEventListener('click', () => {
        const language = block.dataset['language'] ?? ''
        localStorage.setItem(STORED, language)
        show(language)
      })
      return tab
    })
    list.append(...tabs)
    list.addEventListener('keydown', (event) => moveBetween(event, tabs))
    group.prepend(list)
    const choose = (language: string) => {
      const at = blocks.findIndex((block) => block.dataset['language'] === language)
      if (at < 0) return
      for (const [index, block] of blocks.entries()) {
        block.hidden = index !== at
        tabs[index]?.setAttribute('aria-selected', String(index === at))
        tabs[index]?.setAttribute('tabindex', index === at ? '0' : '-1')
      }
    }
    choose(blocks[0]?.dataset['language'] ?? '')
    return choose
  }
}

function moveBetween(event: KeyboardEvent, tabs: readonly HTMLElement[]): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const at = tabs.indexOf(document.activeElement as HTMLElement)
  const next = tabs[(at + step + tabs.length) % tabs.length]
  next?.focus()
  next?.click()
}
