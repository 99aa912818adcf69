/**
 * Runs in the browser, in a world that the page cannot reach. Finds passages by their letters and digits alone, as the resolver
 * joins lines and changes spaces. Returns the part of the page around the first one, or null.
 */
export const MARK_PASSAGES = String.raw`({ passages, heightMax }) => {
  const AROUND = 140, HEIGHT_MIN = 360, LETTERS_MAX = 2000000, PART_MIN = 12
  const isLetter = /[\p{L}\p{N}]/u
  const letters = []
  const nodes = []
  const offsets = []
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() && letters.length < LETTERS_MAX) {
    const node = walker.currentNode
    if (/^(?:SCRIPT|STYLE|TEMPLATE|TITLE)$/.test(node.parentElement?.tagName ?? '')) continue
    for (let index = 0; index < node.data.length; index += 1) {
      const letter = node.data[index].toLowerCase()
      if (letter.length !== 1 || !isLetter.test(letter)) continue
      letters.push(letter)
      nodes.push(node)
      offsets.push(index)
    }
  }
  const text = letters.join('')
  const reduce = (words) => [...words.toLowerCase()].filter((letter) => letter.length === 1 && isLetter.test(letter)).join('')
  const rectsOf = (from, length) => {
    const range = document.createRange()
    range.setStart(nodes[from], offsets[from])
    range.setEnd(nodes[from + length - 1], offsets[from + length - 1] + 1)
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
  }
  const find = (wanted) => {
    for (let from = text.indexOf(wanted), tries = 0; from >= 0 && tries < 20; from = text.indexOf(wanted, from + 1), tries += 1)
      if (rectsOf(from, wanted.length).length > 0) return { from, length: wanted.length }
    return null
  }
  const found = passages.flatMap((passage) => {
    const whole = reduce(passage)
    const one = whole.length > 0 ? find(whole) : null
    if (one) return [one]
    return passage.split('…').map(reduce).filter((part) => part.length >= PART_MIN).map(find).filter((part) => part !== null)
  })
  if (found.length === 0) return null
  nodes[found[0].from].parentElement.scrollIntoView({ block: 'center', behavior: 'instant' })
  const page = (rect) => ({ top: rect.top + scrollY, bottom: rect.bottom + scrollY, left: rect.left + scrollX, width: rect.width, height: rect.height })
  const rects = found.map(({ from, length }) => rectsOf(from, length).map(page))
  for (const rect of rects.flat()) {
    const mark = document.createElement('nameplate-mark')
    const style = { all: 'initial', display: 'block', position: 'absolute', top: rect.top + 'px', left: rect.left + 'px',
      width: rect.width + 'px', height: rect.height + 'px', background: 'rgb(255 214 10 / 30%)', outline: '2px solid rgb(232 168 0)', 'outline-offset': '1px',
      'pointer-events': 'none', 'z-index': '2147483647' }
    for (const [name, value] of Object.entries(style)) mark.style.setProperty(name, value, 'important')
    document.documentElement.append(mark)
  }
  const top = Math.min(...rects[0].map((rect) => rect.top))
  const bottom = Math.max(...rects[0].map((rect) => rect.bottom))
  const whole = Math.max(document.documentElement.scrollHeight, bottom)
  const height = Math.min(heightMax, Math.max(HEIGHT_MIN, bottom - top + 2 * AROUND))
  const y = Math.max(0, Math.min(top - AROUND, whole - height))
  return Number.isFinite(y + height) ? { y, height: Math.min(height, whole - y) } : null
}`
