import MarkdownIt from 'markdown-it'
import { Html, html } from '../../../lib/text/html.ts'
import { highlight, nameOfLanguage } from './highlight.ts'

/** Our own pages only: raw markup in them stays text. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })

/** A link with this word alone is drawn as a label. */
export const STABLE = 'stable'

type Token = ReturnType<typeof markdown.parse>[number]

/** The page as markup. Headings can be linked to, and what is wider than the window scrolls by itself. */
export function renderMarkdown(text: string): Html {
  const tokens = markdown.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', slugOfHeading(tokens[index + 1]?.content ?? ''))
    if (token.type === 'fence') markNeighbours(tokens, index)
    if (token.type === 'th_open' || token.type === 'td_open') alignByClass(token)
    if (token.type === 'th_open' && tokens[index + 1]?.content === '') dropHeader(token, tokens[index + 2])
    for (const [at, child] of (token.children ?? []).entries()) {
      if (child.type !== 'link_open') continue
      rewriteLink(child, token.children?.slice(at).find(isLinkEnd))
      if (token.children?.[at + 1]?.content === STABLE) child.attrSet('class', 'badge')
    }
  }
  return new Html(markdown.renderer.render(tokens, markdown.options, {}))
}

/** Enough for the title and a paragraph of every page: all of a long page would take far longer to parse. */
const FIRST_BLOCKS = 4

/** The first heading, and the first sentence after it. */
export function readMarkdown(text: string): { title: string; lead: string } {
  const beginning = text.split(/\n{2,}/, FIRST_BLOCKS).join('\n\n')
  const tokens = markdown.parse(beginning, {}).filter(({ type }) => type === 'inline')
  const words = (token: Token | undefined) =>
    (token?.children ?? []).map(({ content, type }) => (type === 'softbreak' ? ' ' : content)).join('')
  const paragraph = words(tokens[1])
  return { title: words(tokens[0]), lead: /^.*?[.?!](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph }
}

/** A part of a page: its heading, and where it begins. The title of the page is none. */
export interface Heading {
  level: 2 | 3
  id: string
  words: string
}

export function listHeadings(text: string): Heading[] {
  const tokens = markdown.parse(text, {})
  return tokens.flatMap((token, index) => {
    const level = token.type === 'heading_open' ? Number(token.tag.slice(1)) : 0
    if (level !== 2 && level !== 3) return []
    const inline = tokens[index + 1]
    const words = (inline?.children ?? []).map(({ content }) => content).join('')
    return [{ level, id: slugOfHeading(inline?.content ?? ''), words }]
  })
}

/** Returns the id that a heading has in its page. */
export function slugOfHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The policy of our pages allows no style in an element, so the side is said by a class. */
function alignByClass(cell: Token): void {
  const side = /^text-align:(\w+)$/.exec(String(cell.attrGet('style')))?.[1]
  if (side) cell.attrs = [...(cell.attrs ?? []).filter(([name]) => name !== 'style'), ['class', side]]
}

/** A column without a word above it has no header. */
function dropHeader(...cell: Array<Token | undefined>): void {
  for (const tag of cell) if (tag) tag.tag = 'td'
}

const isLinkEnd = ({ type }: Token) => type === 'link_close'

/** Between pages by their files, as in the repository; what is only there has no address here, and is no link. */
function rewriteLink(link: Token, end: Token | undefined): void {
  const target = String(link.attrGet('href'))
  const page = /^([\w-]+)\.md(#.*)?$/.exec(target)
  const script = /^scripts\/([\w.-]+)$/.exec(target)
  if (page) link.attrSet('href', `/docs/${page[1]}${page[2] ?? ''}`)
  else if (script) link.attrSet('href', `/docs/${script[1]}`)
  else if (target.startsWith('..') || target.startsWith('decisions/') || target.startsWith('images/')) {
    link.attrs = null
    for (const tag of [link, end]) if (tag) tag.tag = 'span'
  }
}

/** Languages of the same example: blocks that follow each other become tabs. */
const SPOKEN = new Set(['sh', 'ts', 'js', 'python', 'go', 'php'])

const isSpoken = (token: Token | undefined) => token?.type === 'fence' && SPOKEN.has(token.info.trim())

function markNeighbours(tokens: readonly Token[], index: number): void {
  const token = tokens[index]
  if (!token || !isSpoken(token)) return
  const [before, after] = [isSpoken(tokens[index - 1]), isSpoken(tokens[index + 1])]
  token.meta = { opens: !before && after, closes: before && !after }
}

markdown.renderer.rules.fence = (tokens, index) => {
  const { content, info, meta } = tokens[index] as Token
  const language = info.trim()
  const marked = highlight(content, language)
  const code = html`<div class="code" data-language="${language}" data-name="${nameOfLanguage(language)}"><pre tabindex="0"><code>${marked === null ? content : new Html(marked)}</code></pre></div>`
  const { opens = false, closes = false } = (meta ?? {}) as { opens?: boolean; closes?: boolean }
  return `${opens ? '<div class="code-tabs">' : ''}${code.markup}${closes ? '</div>' : ''}\n`
}
// A block that is only indented is code without a language.
markdown.renderer.rules.code_block = (tokens, index) =>
  `${html`<div class="code"><pre tabindex="0"><code>${tokens[index]?.content ?? ''}</code></pre></div>`.markup}\n`
markdown.renderer.rules.heading_close = (tokens, index) => {
  const { tag } = tokens[index] as Token
  const id = tokens[index - 2]?.attrGet('id')
  const anchor = tag === 'h1' ? '' : `<a class="anchor" href="#${id}" tabindex="-1" aria-hidden="true">#</a>`
  return `${anchor}</${tag}>\n`
}
markdown.renderer.rules.table_open = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'

/** A part of a page as plain words, for search: from its heading to the next of level 2. */
export interface TextSection {
  /** Empty for what is above the first heading of level 2. */
  id: string
  heading: string
  text: string
}

export function readSections(text: string): TextSection[] {
  const tokens = markdown.parse(text, {})
  const sections: TextSection[] = [{ id: '', heading: '', text: '' }]
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag === 'h2') {
      const words = tokens[index + 1]?.content ?? ''
      sections.push({ id: slugOfHeading(words), heading: words.replaceAll('`', ''), text: '' })
    }
    const isTitle = tokens[index - 1]?.type === 'heading_open' && tokens[index - 1]?.tag !== 'h3'
    const last = sections.at(-1)
    if (last && token.type === 'inline' && !isTitle) last.text += `${token.content.replaceAll(/[`*|[\]()]/g, ' ')} `
  }
  return sections
}
