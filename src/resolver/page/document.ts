/** A web page as a person sees it: visible text in reading order, with the structure that says what belongs together. */
export interface PageDocument {
  title: string
  /** What the page calls the whole site: `og:site_name`, `application-name`. */
  siteName: string | null
  description: string | null
  language: string | null
  generator: string | null
  blocks: Block[]
  links: Link[]
  /** Texts of logos and of links to the home page, in the order found: how the site names itself. */
  brandHints: string[]
  /** JSON-LD values as parsed, then microdata items in the same shape (`@type` and properties). */
  structuredData: unknown[]
  metaRefresh: string | null
  canonical: string | null
  /** `og:url`: the address that the page gives for itself when it is shared. */
  sharedAs: string | null
  /** Hosts of the `mailto:` links, in the order found. */
  mailHosts: string[]
  /** `noindex` and the like, from `<meta name="robots">`. */
  robots: string | null
  visibleCharacters: number
  /** Scripts on the page, inline or linked: an empty page with scripts is a shell, not an absence. */
  scripts: number
  /** The page was longer than we read. */
  cut: boolean
}

export type Region = 'header' | 'nav' | 'main' | 'article' | 'aside' | 'footer'

/** One paragraph, list item, table row, heading or run of loose text. */
export interface Block {
  /** Inline tags join, `<br>` is a newline, the cells of a row are joined by ` | `, a `<dt>` and its `<dd>` by `: `. */
  text: string
  /** The innermost of the page's regions, by element, role, or a class or id that says so. */
  region: Region
  /** Of the innermost block element: `p`, `li`, `tr`, `dl`, `h2`, `div`, `blockquote`, `address`… */
  tag: string
  /** The headings above it, outermost first, at most three: `['Privacy policy', 'Who we are']`. */
  headings: string[]
  /** Blocks with the same parent element share it: what stands side by side in one box. */
  group: number
  /** Links inside the text; positions are UTF-16 offsets into it. */
  links: Array<{ start: number; end: number; href: string }>
  /** Inside `<blockquote>`, `<q>` or `<cite>`: somebody else's words. */
  quoted: boolean
}

export interface Link {
  /** Absolute, as resolved against the page; only http and https. */
  href: string
  text: string
  region: Region
}
