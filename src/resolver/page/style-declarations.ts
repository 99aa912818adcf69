import { detached } from './clean-text.ts'

/** The properties of a `style` that can take text out of sight, or make a line of its own; the last one said counts. */
export type Declarations = ReadonlyMap<string, string>

export function parseDeclarations(style: string): Declarations {
  const known = parsed.get(style)
  if (known !== undefined) return known
  const found = new Map<string, string>()
  const text = detached(style.slice(0, STYLE_MAX))
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (!READ.has(property)) continue
    found.set(
      property,
      declaration
        .slice(colon + 1)
        .replace('!important', '')
        .trim()
        .toLowerCase(),
    )
  }
  if (parsed.size >= PARSED_MAX) parsed.clear()
  if (text.length <= 200) parsed.set(text, found)
  return found
}

/**
 * Why text is out of sight. `gone` holds for everything inside; what is only `unseen` or `tiny` comes back in a
 * descendant that says so: galleries set the font size of a list to 0 and that of its items to 14.
 */
export interface Hiding {
  gone: boolean
  unseen: boolean
  tiny: boolean
}

export const IN_SIGHT: Hiding = Object.freeze({ gone: false, unseen: false, tiny: false })

export function hidingOf(style: Declarations, outer: Hiding): Hiding {
  if (style.size === 0 || outer.gone) return outer
  const visibility = style.get('visibility')
  const fontSize = style.get('font-size')
  const gone = isGone(style)
  const unseen = visibility === undefined ? outer.unseen : visibility === 'hidden' || visibility === 'collapse'
  const tiny = fontSize === undefined ? outer.tiny : isTiny(fontSize)
  if (gone === outer.gone && unseen === outer.unseen && tiny === outer.tiny) return outer
  return { gone, unseen, tiny }
}

export function isOutOfSight(hiding: Hiding): boolean {
  return hiding.gone || hiding.unseen || hiding.tiny
}

export function makesBlock(style: Declarations): boolean {
  return BLOCK_DISPLAYS.has(style.get('display') ?? '')
}

/** Letters are written from right to left whatever they are: a way to hide an address from machines. */
export function isReversed(style: Declarations): boolean {
  return style.get('direction') === 'rtl' && style.get('unicode-bidi')?.includes('override') === true
}

const STYLE_MAX = 4_000
const PARSED_MAX = 1_000
const parsed = new Map<string, Declarations>()

const SIDES = ['left', 'top', 'right', 'bottom', 'margin-left', 'margin-top', 'text-indent']
const MOVED = ['transform', 'transition', 'animation', 'will-change']
const OTHERS = [
  ['display', 'visibility', 'opacity', 'font-size', 'overflow', 'width', 'height', 'clip', 'clip-path'],
  ['color', 'background', 'background-color', 'direction', 'unicode-bidi'],
]
const READ = new Set([SIDES, MOVED, ...OTHERS].flat())
const BLOCK_DISPLAYS = new Set(['block', 'flex', 'grid', 'list-item', 'table', 'flow-root'])

function isGone(style: Declarations): boolean {
  return (
    style.get('display') === 'none' ||
    isTransparent(style) ||
    SIDES.some((side) => pixels(style.get(side)) <= -999) ||
    isShrunk(style) ||
    isClipped(style) ||
    isPainted(style)
  )
}

/** Together with a movement it is how a page lets its parts glide in: they are there a moment later. */
function isTransparent(style: Declarations): boolean {
  const opacity = style.get('opacity')
  return opacity !== undefined && Number.parseFloat(opacity) === 0 && !MOVED.some((property) => style.has(property))
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

/** In the colour it stands on. */
function isPainted(style: Declarations): boolean {
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

/** NaN, which no comparison holds for, when it is no length we know. */
function pixels(length: string | undefined): number {
  const parts = /^(-?\d{0,9}(?:\.\d{1,9})?)(px|em|rem|pt|%|)$/.exec(length ?? '')
  if (!parts?.[1]) return Number.NaN
  const number = Number(parts[1])
  return parts[2] === 'em' || parts[2] === 'rem' ? number * 16 : number
}
