/** Properties of an element by its tag, as in browsers without a stylesheet. */
export interface ElementKind {
  isBlock: boolean
  /** Has no content and no end tag. */
  isVoid: boolean
  /** Its text is for machines, for old browsers, or part of a form. */
  isDropped: boolean
  /**
   * Ends the text before it, but is not stored: old pages nest these tags at random, and a body that is hidden at first is
   * shown by a script.
   */
  isUntracked: boolean
  isHeading: boolean
  isQuote: boolean
  /** Newlines of the source are shown. */
  isPreformatted: boolean
  /** Its start tag closes an open `<p>`. */
  endsParagraph: boolean
  /** End tags inside it do not close elements outside it. */
  isScope: boolean
  isList: boolean
  isTerm: boolean
  isCell: boolean
  /** May contain rows. */
  isTableBody: boolean
  /** Part of a table; its end tag closes elements up to the table. */
  isTablePart: boolean
  /** Not allowed in `<svg>`, so an `<svg>` around it was left open. */
  endsDrawing: boolean
}

/** Custom elements are mostly blocks. */
export function kindOf(tag: string): ElementKind {
  return KINDS.get(tag) ?? (tag.includes('-') ? CUSTOM : INLINE)
}

const INLINE: ElementKind = {
  isBlock: false,
  isVoid: false,
  isDropped: false,
  isUntracked: false,
  isHeading: false,
  isQuote: false,
  isPreformatted: false,
  endsParagraph: false,
  isScope: false,
  isList: false,
  isTerm: false,
  isCell: false,
  isTableBody: false,
  isTablePart: false,
  endsDrawing: false,
}
const CUSTOM: ElementKind = { ...INLINE, isBlock: true }

const KINDS = new Map<string, ElementKind>()

function mark(tags: string, ...properties: Array<keyof ElementKind>): void {
  for (const tag of tags.split(/\s+/)) {
    const kind = KINDS.get(tag) ?? { ...INLINE }
    for (const property of properties) kind[property] = true
    KINDS.set(tag, kind)
  }
}

const PARAGRAPH_ENDERS = `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table
  ul xmp`

mark(PARAGRAPH_ENDERS, 'isBlock', 'endsDrawing', 'endsParagraph')
mark('body caption frameset html legend marquee tbody td tfoot th thead tr', 'isBlock', 'endsDrawing')
mark('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr', 'isVoid')
mark('audio button canvas datalist iframe math noembed noframes noscript object option', 'isDropped')
mark('script select style template textarea title video', 'isDropped')
mark('body form head html', 'isUntracked')
mark('h1 h2 h3 h4 h5 h6', 'isHeading')
mark('blockquote q cite', 'isQuote')
mark('listing plaintext pre xmp', 'isPreformatted')
mark('caption marquee object table td template th', 'isScope')
mark('dir menu ol ul', 'isList')
mark('dd dt', 'isTerm')
mark('td th', 'isCell')
mark('table tbody tfoot thead', 'isTableBody')
mark('caption colgroup tbody td tfoot th thead tr', 'isTablePart')
