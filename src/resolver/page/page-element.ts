import { type Box, Outline } from './block-writer.ts'
import type { Region } from './document.ts'
import { type ElementKind, kindOf } from './element-kinds.ts'
import type { Attributes } from './read-tags.ts'
import { type ElementNames, regionOf } from './region.ts'
import type { Item } from './structured-data.ts'
import {
  type Declarations,
  type Hiding,
  hidingOf,
  isHidden,
  isReversed,
  makesBlock,
  onceOpened,
  VISIBLE,
} from './style-declarations.ts'

/** An open element, with what it inherits from the elements around it. */
export interface PageElement {
  tag: string
  kind: ElementKind
  /** The innermost block element, this one or one around it. */
  box: Box
  isBox: boolean
  region: Region
  isInArticle: boolean
  isQuoted: boolean
  hiding: Hiding
  isDropped: boolean
  isButton: boolean
  isReversed: boolean
  isPreformatted: boolean
  /** Shows names of other companies: clients, partners, payment cards. */
  isThirdParty: boolean
  item: Item | null
  /** Called when the element closes. */
  onClose: Array<() => void> | null
}

export function createRootElement(): PageElement {
  const box: Box = { id: 0, tag: 'body', parent: null, holdsBlocks: true, region: 'main', outline: new Outline() }
  return {
    tag: 'body',
    kind: kindOf('body'),
    box,
    isBox: true,
    region: 'main',
    isInArticle: false,
    isQuoted: false,
    hiding: VISIBLE,
    isDropped: false,
    isButton: false,
    isReversed: false,
    isPreformatted: false,
    isThirdParty: false,
    item: null,
    onClose: null,
  }
}

/** A start tag, with its classes and styles resolved. */
interface StartTag {
  id: number
  tag: string
  kind: ElementKind
  attributes: Attributes
  names: ElementNames
  style: Declarations
  /** A visible link or button opens it. */
  isOpened: boolean
}

export function createElement(outer: PageElement, start: StartTag): PageElement {
  const { id, tag, kind, attributes, names, style } = start
  const isDropped = outer.isDropped || kind.isDropped
  const isBox = !isDropped && (kind.isBlock || makesBlock(style))
  const region = isBox ? regionOf(tag, attributes, names, outer) : outer.region
  return {
    tag,
    kind,
    box: isBox ? createBox(outer, id, tag, region) : outer.box,
    isBox,
    region,
    isInArticle: outer.isInArticle || region === 'article',
    isQuoted: outer.isQuoted || kind.isQuote,
    hiding: chooseHiding(start, outer),
    isDropped,
    isButton: tag === 'button' ? !outer.isDropped : outer.isButton,
    isReversed: outer.isReversed || isReversed(style) || (tag === 'bdo' && attributes.dir?.toLowerCase() === 'rtl'),
    isPreformatted: outer.isPreformatted || kind.isPreformatted,
    isThirdParty: outer.isThirdParty || names.isThirdParty,
    item: outer.item,
    onClose: null,
  }
}

/** True if its text is not shown to a person. */
export function isUnread(element: PageElement): boolean {
  return element.isDropped || isHidden(element.hiding)
}

function chooseHiding({ attributes, style, isOpened }: StartTag, outer: PageElement): Hiding {
  if (isOpened) return hidingOf(onceOpened(style), outer.hiding)
  return isMarkedHidden(attributes) ? REMOVED : hidingOf(style, outer.hiding)
}

const REMOVED: Hiding = { removed: true, invisible: false, tiny: false }

function isMarkedHidden(attributes: Attributes): boolean {
  return attributes.hidden !== undefined || attributes['aria-hidden']?.trim().toLowerCase() === 'true'
}

function createBox(outer: PageElement, id: number, tag: string, region: Region): Box {
  return { id, tag, parent: outer.box, holdsBlocks: false, region, outline: chooseOutline(outer, region) }
}

/** Headings of the page do not apply to the footer; those of an article do not apply to what follows it. */
function chooseOutline({ box, region: outerRegion }: PageElement, region: Region): Outline {
  if (region === outerRegion) return box.outline
  if (region === 'footer' || region === 'nav' || region === 'aside') return new Outline()
  return region === 'article' ? new Outline(box.outline) : box.outline
}
