import MarkdownIt from 'markdown-it'
import { Html } from '../../../lib/text/html.ts'

/** Our own pages only: raw markup in them stays text. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })

type Token = ReturnType<typeof markdown.parse>[number]

/** The page as markup. Headings can be linked to, and what is wider than the window scrolls by itself. */
export function renderMarkdown(text: string): Html {
  const tokens = markdown.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', slugOf(tokens[index + 1]?.content ?? ''))
    if (token.type === 'th_open' || token.type === 'td_open') alignByClass(token)
    if (token.type === 'th_open' && tokens[index + 1]?.content === '') dropHeader(token, tokens[index + 2])
    for (const [at, child] of (token.children ?? []).entries()) {
      if (child.type === 'link_open') rewriteLink(child, token.children?.slice(at).find(isLinkEnd))
    }
  }
  return new Html(markdown.renderer.render(tokens, markdown.options, {}))
}

/** The first heading, and the first sentence after it. */
export function readMarkdown(text: string): { title: string; lead: string } {
  const tokens = markdown.parse(text, {}).filter(({ type }) => type === 'inline')
  const words = (token: Token | undefined) =>
    (token?.children ?? []).map(({ content, type }) => (type === 'softbreak' ? ' ' : content)).join('')
  const paragraph = words(tokens[1])
  return { title: words(tokens[0]), lead: /^.*?[.?!](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph }
}

function slugOf(heading: string): string {
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
  if (page) link.attrSet('href', `/docs/${page[1]}${page[2] ?? ''}`)
  else if (target.startsWith('..')) {
    link.attrs = null
    for (const tag of [link, end]) if (tag) tag.tag = 'span'
  }
}

const fence = markdown.renderer.rules.fence
markdown.renderer.rules.fence = (tokens, index, options, env, self) =>
  (fence?.(tokens, index, options, env, self) ?? '').replace('<pre>', '<pre tabindex="0">')
markdown.renderer.rules.table_open = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'
