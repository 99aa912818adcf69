import type { Box } from './block-writer.ts'
import type { Region } from './document.ts'
import { type ElementKind, kindOf } from './element-kinds.ts'
import type { ElementNames } from './element-names.ts'
import type { Item } from './microdata.ts'
import { Outline } from './outline.ts'
import type { Attributes } from './read-tags.ts'
import { regionOf } from './region.ts'
import {
  type Declarations,
  type Hiding,
  hidingOf,
  IN_SIGHT,
  isOutOfSight,
  isReversed,
  makesBlock,
} from './style-declarations.ts'

/** An open element: what it says of itself, and what it has from those around it. */
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
  /** Shows other people's names: clients, partners, payment cards. */
  isOthers: boolean
  item: Item | null
  /** Done when it closes. */
  atEnd: Array<() => void> | null
}

export function rootElement(): PageElement {
  const box: Box = { id: 0, tag: 'body', parent: null, holdsBlocks: true, region: 'main', outline: new Outline() }
  return {
    tag: 'body',
    kind: kindOf('body'),
    box,
    isBox: true,
    region: 'main',
    isInArticle: false,
    isQuoted: false,
    hiding: IN_SIGHT,
    isDropped: false,
    isButton: false,
    isReversed: false,
    isPreformatted: false,
    isOthers: false,
    item: null,
    atEnd: null,
  }
}

/** What a start tag says. */
export interface Start {
  id: number
  tag: string
  kind: ElementKind
  attributes: Attributes
  names: ElementNames
  style: Declarations
}

export function elementInside(outer: PageElement, { id, tag, kind, attributes, names, style }: Start): PageElement {
  const isDropped = outer.isDropped || kind.isDropped
  const isBox = !isDropped && (kind.isBlock || makesBlock(style))
  const region = isBox ? regionOf(tag, attributes, names, outer) : outer.region
  return {
    tag,
    kind,
    box: isBox ? boxInside(outer, id, tag, region) : outer.box,
    isBox,
    region,
    isInArticle: outer.isInArticle || region === 'article',
    isQuoted: outer.isQuoted || kind.isQuote,
    hiding: isMarkedHidden(attributes) ? GONE : hidingOf(style, outer.hiding),
    isDropped,
    isButton: tag === 'button' ? !outer.isDropped : outer.isButton,
    isReversed: outer.isReversed || isReversed(style) || (tag === 'bdo' && attributes.dir?.toLowerCase() === 'rtl'),
    isPreformatted: outer.isPreformatted || kind.isPreformatted,
    isOthers: outer.isOthers || names.isOthers,
    item: outer.item,
    atEnd: null,
  }
}

/** Its text is not the page's. */
export function isUnread(element: PageElement): boolean {
  return element.isDropped || isOutOfSight(element.hiding)
}

const GONE: Hiding = { gone: true, unseen: false, tiny: false }

function isMarkedHidden(attributes: Attributes): boolean {
  return attributes.hidden !== undefined || attributes['aria-hidden']?.trim().toLowerCase() === 'true'
}

function boxInside(outer: PageElement, id: number, tag: string, region: Region): Box {
  return { id, tag, parent: outer.box, holdsBlocks: false, region, outline: outlineInside(outer, region) }
}

/** The last heading of the page is not the footer's; a heading in an article is not that of what follows it. */
function outlineInside({ box, region: outerRegion }: PageElement, region: Region): Outline {
  if (region === outerRegion) return box.outline
  if (region === 'footer' || region === 'nav' || region === 'aside') return new Outline()
  return region === 'article' ? new Outline(box.outline) : box.outline
}
