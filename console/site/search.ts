import MiniSearch from 'minisearch'
import { type Found, SEARCH_OPTIONS, type Section, searchIndex } from '../../src/entry/site/docs/search-options.ts'
import { isTyping } from '../src/ui/is-typing.ts'

const FOUND_SHOWN = 8

/** Opens the search of the documentation in a dialog: by its button, by `/`, or by Ctrl K. */
export function openSearch(): void {
  const opener = document.querySelector<HTMLAnchorElement>('.docs-search.opener')
  if (!opener) return
  const parts = makeDialog()
  let loading: Promise<MiniSearch<Section>> | null = null
  let selected = 0

  const load = () => {
    loading ??= loadIndex().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  const open = () => {
    if (parts.dialog.open) return
    parts.dialog.showModal()
    parts.field.select()
    load().catch(() => undefined)
  }
  const update = async () => {
    const query = parts.field.value
    const index = await load().catch(() => null)
    if (!index) {
      parts.status.textContent = 'The search cannot be loaded. Check your connection and type again.'
      return
    }
    const found = searchIndex(index, query).slice(0, FOUND_SHOWN)
    if (query !== parts.field.value) return
    selected = 0
    parts.list.replaceChildren(...found.map(toItem))
    parts.status.textContent =
      query === ''
        ? ''
        : found.length === 0
          ? 'Nothing found. Try other words.'
          : `${found.length} found, first ${found[0]?.page}`
    mark()
  }
  const mark = () => {
    for (const [index, link] of linksOf(parts.list).entries()) {
      link.dataset['selected'] = String(index === selected)
      if (index === selected) link.scrollIntoView({ block: 'nearest' })
    }
  }
  opener.addEventListener('click', (event) => {
    event.preventDefault()
    open()
  })
  document.addEventListener('keydown', (event) => {
    const isShortcut =
      (event.key === '/' && !isTyping(event.target)) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut) return
    event.preventDefault()
    open()
  })
  parts.field.addEventListener('input', () => void update())
  parts.field.addEventListener('keydown', (event) => {
    const links = linksOf(parts.list)
    if (event.key === 'Enter') links[selected]?.click()
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || links.length === 0) return
    event.preventDefault()
    selected = (selected + step + links.length) % links.length
    mark()
  })
  parts.list.addEventListener('click', () => parts.dialog.close())
}

async function loadIndex(): Promise<MiniSearch<Section>> {
  const response = await fetch('/docs/search-index.json')
  if (!response.ok) throw new Error(`the index is refused with ${response.status}`)
  return MiniSearch.loadJSON<Section>(await response.text(), SEARCH_OPTIONS)
}

const linksOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLAnchorElement>('a')]

function makeDialog() {
  const dialog = document.createElement('dialog')
  dialog.className = 'docs-search'
  dialog.setAttribute('aria-label', 'Search the documentation')
  const field = document.createElement('input')
  field.type = 'search'
  field.placeholder = 'How do I verify a webhook?'
  field.setAttribute('aria-label', 'Search the documentation')
  field.setAttribute('autocomplete', 'off')
  const status = document.createElement('p')
  status.className = 'soft small'
  status.setAttribute('role', 'status')
  const list = document.createElement('ul')
  dialog.append(field, status, list)
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  document.body.append(dialog)
  return { dialog, field, status, list }
}

function toItem({ href, page, heading }: Found): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = href
  const strong = document.createElement('strong')
  strong.textContent = page
  const span = document.createElement('span')
  span.textContent = heading
  link.append(strong, span)
  item.append(link)
  return item
}
