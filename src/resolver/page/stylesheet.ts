import { type Declarations, hidingOf, IN_SIGHT, isOutOfSight, parseDeclarations } from './style-declarations.ts'

/** The page's own `<style>`: what its rules for one class or one id say about sight. Other selectors are not read. */
export class Stylesheet {
  readonly #rules = new Map<string, Declarations>()
  /** By the whole of a `class`, until the next rule comes. */
  readonly #known = new Map<string, Declarations>()
  #charactersLeft = CSS_MAX

  /** Says whether one of the rules hides something. */
  add(css: string): boolean {
    const read = css.slice(0, this.#charactersLeft)
    this.#charactersLeft -= read.length
    this.#known.clear()
    return this.#addRules(withoutComments(read))
  }

  /** The rules for the element and its own `style`, the stronger ones last. */
  styleOf({ id, class: classes, style }: { id?: string; class?: string; style?: string }): Declarations {
    const own = style === undefined ? NOTHING : parseDeclarations(style)
    if (this.#rules.size === 0) return own
    const byClass = classes === undefined ? NOTHING : this.#byClasses(classes)
    const byId = (id === undefined ? undefined : this.#rules.get(`#${id.trim()}`)) ?? NOTHING
    if (byId.size === 0 && byClass.size === 0) return own
    return byId.size === 0 && own.size === 0 ? byClass : new Map([...byClass, ...byId, ...own])
  }

  #byClasses(classes: string): Declarations {
    const known = this.#known.get(classes)
    if (known !== undefined) return known
    let style = NOTHING
    for (const name of classes.split(/\s+/, CLASSES_MAX)) {
      const rule = this.#rules.get(`.${name}`)
      if (rule !== undefined) style = style.size === 0 ? rule : new Map([...style, ...rule])
    }
    if (style.size > 0 && SHOWN_ON_WIDER_SCREENS.test(classes)) style = NOTHING
    if (this.#known.size < RULES_MAX) this.#known.set(classes, style)
    return style
  }

  #addRules(css: string): boolean {
    let hides = false
    for (const { selectors, body } of rulesOf(css)) {
      const style = parseDeclarations(body)
      if (style.size === 0) continue
      for (const selector of selectors.split(',', SELECTORS_MAX)) {
        const name = selector.trim()
        if (!/^[.#][\w-]{1,80}$/.test(name) || this.#rules.size >= RULES_MAX) continue
        const before = this.#rules.get(name)
        this.#rules.set(name, before === undefined ? style : new Map([...before, ...style]))
        hides ||= isOutOfSight(hidingOf(style, IN_SIGHT))
      }
    }
    return hides
  }
}

const CSS_MAX = 1_000_000
const RULES_MAX = 10_000
const SELECTORS_MAX = 200
const CLASSES_MAX = 50
const NOTHING: Declarations = new Map()

/** `hidden lg:flex`, `d-none d-md-block`: hidden on a telephone, and there on a desk. */
const SHOWN_ON_WIDER_SCREENS = /(?:^|[\s-])(?:sm|md|lg|xl|xxl|2xl)[:-](?:block|flex|grid|inline|table|contents)/

function withoutComments(css: string): string {
  let clean = ''
  for (let place = 0; place < css.length; ) {
    const start = css.indexOf('/*', place)
    if (start < 0) return clean + css.slice(place)
    clean += css.slice(place, start)
    const end = css.indexOf('*/', start + 2)
    place = end < 0 ? css.length : end + 2
  }
  return clean
}

/** The rules that hold on a screen of any size. */
function* rulesOf(css: string): Generator<{ selectors: string; body: string }> {
  for (let place = 0; place < css.length; ) {
    const open = css.indexOf('{', place)
    if (open < 0) return
    const before = css.slice(place, open)
    // `@import …;` and the end of an opened `@media` stand before the selectors.
    const prelude = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('}')) + 1)
    if (prelude.trimStart().startsWith('@')) {
      place = /^\s*@media\s+(?:only\s+)?(?:screen|all)\s*$/i.test(prelude.slice(0, 80))
        ? open + 1
        : afterBlock(css, open)
      continue
    }
    const end = css.indexOf('}', open)
    const close = end < 0 ? css.length : end
    yield { selectors: prelude, body: css.slice(open + 1, close) }
    place = close + 1
  }
}

function afterBlock(css: string, open: number): number {
  let depth = 0
  for (let place = open; place < css.length; place++) {
    const character = css.charCodeAt(place)
    if (character === 0x7b) depth++
    else if (character === 0x7d && --depth === 0) return place + 1
  }
  return css.length
}
