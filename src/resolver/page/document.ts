/** A web page as a person sees it: visible text in reading order, with structure that shows what belongs together. */
export interface PageDocument {
  title: string
  /** The page's name for the whole site: `og:site_name`, `application-name`. */
  siteName: string | null
  description: string | null
  language: string | null
  generator: string | null
  blocks: Block[]
  links: Link[]
  /** Names that the site gives itself: texts of logos and of links to the home page, in page order. */
  brandHints: string[]
  /** JSON-LD items, then microdata items in the same shape (`@type` and properties). */
  structuredData: unknown[]
  metaRefresh: string | null
  canonical: string | null
  /** `og:url`: the page's own address for sharing. */
  sharedAs: string | null
  /** Hosts of the `mailto:` links, in page order. */
  mailHosts: string[]
  /** `noindex` and others, from `<meta name="robots">`. */
  robots: string | null
  visibleCharacters: number
  /** Number of scripts, inline or linked: a page with scripts and no text may be drawn by them. */
  scripts: number
  /** The page was longer than our limit. */
  cut: boolean
}

export type Region = 'header' | 'nav' | 'main' | 'article' | 'aside' | 'footer'

/** One paragraph, list item, table row, heading or run of loose text. */
export interface Block {
  /** `<br>` is a newline; cells of a row are joined by ` | `, a `<dt>` and its `<dd>` by `: `. */
  text: string
  /** The innermost region around it, by tag, role, class or id. */
  region: Region
  /** The innermost block element: `p`, `li`, `tr`, `dl`, `h2`, `div`, `blockquote`, `address`… */
  tag: string
  /** The headings above it, outermost first, at most three: `['Privacy policy', 'Who we are']`. */
  headings: string[]
  /** The same for all blocks with one parent element. */
  group: number
  /** Links inside the text, with UTF-16 offsets. */
  links: Array<{ start: number; end: number; href: string }>
  /** Inside `<blockquote>`, `<q>` or `<cite>`: the words of another author. */
  quoted: boolean
}

export interface Link {
  /** Absolute; only http and https. */
  href: string
  text: string
  region: Region
}
