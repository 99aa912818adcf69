import { detached } from './clean-text.ts'

/** The properties of a `style` that can hide text or start a new block. The last value of a property counts. */
export type Declarations = ReadonlyMap<string, string>

export function parseDeclarations(style: string): Declarations {
  const cached = parsedStyles.get(style)
  if (cached !== undefined) return cached
  const found = new Map<string, string>()
  const text = detached(style.slice(0, STYLE_MAX))
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (!READ_PROPERTIES.has(property)) continue
    found.set(
      property,
      declaration
        .slice(colon + 1)
        .replace('!important', '')
        .trim()
        .toLowerCase(),
    )
  }
  if (parsedStyles.size >= CACHE_SIZE_MAX) parsedStyles.clear()
  if (text.length <= 200) parsedStyles.set(text, found)
  return found
}

/**
 * Why text is hidden. `removed` also hides everything inside. A descendant can undo `invisible` and `tiny`: galleries set the
 * font size of a list to 0 and that of its items to 14.
 */
export interface Hiding {
  removed: boolean
  invisible: boolean
  tiny: boolean
}

export const VISIBLE: Hiding = Object.freeze({ removed: false, invisible: false, tiny: false })

export function hidingOf(style: Declarations, outer: Hiding): Hiding {
  if (style.size === 0 || outer.removed) return outer
  const visibility = style.get('visibility')
  const fontSize = style.get('font-size')
  const removed = isRemoved(style)
  const invisible = visibility === undefined ? outer.invisible : visibility === 'hidden' || visibility === 'collapse'
  const tiny = fontSize === undefined ? outer.tiny : isTiny(fontSize)
  if (removed === outer.removed && invisible === outer.invisible && tiny === outer.tiny) return outer
  return { removed, invisible, tiny }
}

export function isHidden(hiding: Hiding): boolean {
  return hiding.removed || hiding.invisible || hiding.tiny
}

/** Returns the styles of an element that a link has opened. Other tricks, such as letters in the colour of the page, remain. */
export function onceOpened(style: Declarations): Declarations {
  return new Map([...style].filter(([property]) => !OPENING_PROPERTIES.has(property)))
}

const OPENING_PROPERTIES = new Set(['display', 'visibility', 'opacity'])

export function makesBlock(style: Declarations): boolean {
  return BLOCK_DISPLAYS.has(style.get('display') ?? '')
}

/** True if letters are shown from right to left: a way to hide an address from programs. */
export function isReversed(style: Declarations): boolean {
  return style.get('direction') === 'rtl' && style.get('unicode-bidi')?.includes('override') === true
}

const STYLE_MAX = 4_000
const CACHE_SIZE_MAX = 1_000
const parsedStyles = new Map<string, Declarations>()

const SIDES = ['left', 'top', 'right', 'bottom', 'margin-left', 'margin-top', 'text-indent']
const MOVING = ['transform', 'transition', 'animation', 'will-change']
const OTHER_PROPERTIES = [
  ['display', 'visibility', 'opacity', 'font-size', 'overflow', 'width', 'height', 'clip', 'clip-path'],
  ['color', 'background', 'background-color', 'direction', 'unicode-bidi'],
]
const READ_PROPERTIES = new Set([SIDES, MOVING, ...OTHER_PROPERTIES].flat())
const BLOCK_DISPLAYS = new Set(['block', 'flex', 'grid', 'list-item', 'table', 'flow-root'])

function isRemoved(style: Declarations): boolean {
  return (
    style.get('display') === 'none' ||
    isTransparent(style) ||
    SIDES.some((side) => pixels(style.get(side)) <= -999) ||
    isShrunk(style) ||
    isClipped(style) ||
    hasBackgroundColour(style)
  )
}

/** Opacity 0 with a transition or animation is a fade-in: the text appears a moment later. */
function isTransparent(style: Declarations): boolean {
  const opacity = style.get('opacity')
  return opacity !== undefined && Number.parseFloat(opacity) === 0 && !MOVING.some((property) => style.has(property))
}

function isTiny(fontSize: string): boolean {
  return pixels(fontSize) <= 1
}

function isShrunk(style: Declarations): boolean {
  if (style.get('overflow') !== 'hidden' && style.get('overflow') !== 'clip') return false
  const [width, height] = [pixels(style.get('width')), pixels(style.get('height'))]
  return width <= 0 || height <= 0 || (width <= 1 && height <= 1)
}

function isClipped(style: Declarations): boolean {
  const rectangle = /^rect\(([^)]*)\)/.exec(style.get('clip') ?? '')?.[1]
  if (rectangle?.split(/[\s,]+/).every((side) => side === '' || pixels(side) <= 1)) return true
  return /^(?:inset\((?:50|100)%|circle\(0)/.test(style.get('clip-path') ?? '')
}

/** True if text and background have the same colour. */
function hasBackgroundColour(style: Declarations): boolean {
  const colour = toColour(style.get('color') ?? '')
  if (colour === null) return false
  const background = style.get('background-color') ?? style.get('background') ?? ''
  if (/url\(|gradient/.test(style.get('background') ?? '')) return false
  return background.split(/ (?![^(]*\))/, 8).some((word) => toColour(word) === colour)
}

const COLOUR_NAMES: Record<string, string> = { white: 'ffffff', black: '000000' }

function toColour(text: string): string | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text)?.[1]
  if (hex?.length === 3) return hex.replaceAll(/./g, '$&$&')
  if (hex !== undefined) return hex
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*1\s*)?\)$/.exec(text)
  if (parts !== null) {
    return parts
      .slice(1, 4)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')
  }
  return COLOUR_NAMES[text] ?? (/^[a-z]{3,20}$/.test(text) && !NO_COLOURS.has(text) ? text : null)
}

const NO_COLOURS = new Set(['inherit', 'initial', 'unset', 'revert', 'transparent', 'none', 'currentcolor'])

/** Returns NaN, for which every comparison is false, if the unit is unknown. */
function pixels(length: string | undefined): number {
  const parts = /^(-?\d{0,9}(?:\.\d{1,9})?)(px|em|rem|pt|%|)$/.exec(length ?? '')
  if (!parts?.[1]) return Number.NaN
  const number = Number(parts[1])
  return parts[2] === 'em' || parts[2] === 'rem' ? number * 16 : number
}
