import { type Declarations, hidingOf, isHidden, parseDeclarations, VISIBLE } from './style-declarations.ts'

/** The page's own `<style>` rules that can hide text. Reads selectors of one class or one id only. */
export class Stylesheet {
  readonly #rules = new Map<string, Declarations>()
  /** Cached by the whole `class` attribute; cleared by the next rule. */
  readonly #cached = new Map<string, Declarations>()
  #charactersLeft = CSS_MAX

  /** Returns whether one of the rules hides something. */
  add(css: string): boolean {
    const part = css.slice(0, this.#charactersLeft)
    this.#charactersLeft -= part.length
    this.#cached.clear()
    return this.#addRules(withoutComments(part))
  }

  /** Merges the rules for an element with its own `style`; the stronger ones win. */
  styleOf({ id, class: classes, style }: { id?: string; class?: string; style?: string }): Declarations {
    const own = style === undefined ? NO_STYLE : parseDeclarations(style)
    if (this.#rules.size === 0) return own
    const byClass = classes === undefined ? NO_STYLE : this.#byClasses(classes)
    const byId = (id === undefined ? undefined : this.#rules.get(`#${id.trim()}`)) ?? NO_STYLE
    if (byId.size === 0 && byClass.size === 0) return own
    return byId.size === 0 && own.size === 0 ? byClass : new Map([...byClass, ...byId, ...own])
  }

  #byClasses(classes: string): Declarations {
    const cached = this.#cached.get(classes)
    if (cached !== undefined) return cached
    let style = NO_STYLE
    for (const name of classes.split(/\s+/, CLASSES_MAX)) {
      const rule = this.#rules.get(`.${name}`)
      if (rule !== undefined) style = style.size === 0 ? rule : new Map([...style, ...rule])
    }
    if (style.size > 0 && SHOWN_ON_WIDER_SCREENS.test(classes)) style = NO_STYLE
    if (this.#cached.size < RULES_MAX) this.#cached.set(classes, style)
    return style
  }

  #addRules(css: string): boolean {
    let hides = false
    for (const { selectors, body } of listRules(css)) {
      const style = parseDeclarations(body)
      if (style.size === 0) continue
      for (const selector of selectors.split(',', SELECTORS_MAX)) {
        const name = selector.trim()
        if (!/^[.#][\w-]{1,80}$/.test(name) || this.#rules.size >= RULES_MAX) continue
        const before = this.#rules.get(name)
        this.#rules.set(name, before === undefined ? style : new Map([...before, ...style]))
        hides ||= isHidden(hidingOf(style, VISIBLE))
      }
    }
    return hides
  }
}

const CSS_MAX = 1_000_000
const RULES_MAX = 10_000
const SELECTORS_MAX = 200
const CLASSES_MAX = 50
const NO_STYLE: Declarations = new Map()

/** `hidden lg:flex`, `d-none d-md-block`: hidden on phones, shown on desktops. */
const SHOWN_ON_WIDER_SCREENS = /(?:^|[\s-])(?:sm|md|lg|xl|xxl|2xl)[:-](?:block|flex|grid|inline|table|contents)/

function withoutComments(css: string): string {
  let clean = ''
  for (let index = 0; index < css.length; ) {
    const start = css.indexOf('/*', index)
    if (start < 0) return clean + css.slice(index)
    clean += css.slice(index, start)
    const end = css.indexOf('*/', start + 2)
    index = end < 0 ? css.length : end + 2
  }
  return clean
}

/** Yields the rules that apply to screens of any size. */
function* listRules(css: string): Generator<{ selectors: string; body: string }> {
  for (let index = 0; index < css.length; ) {
    const open = css.indexOf('{', index)
    if (open < 0) return
    const before = css.slice(index, open)
    // Before the selectors there may be `@import …;` or the end of a `@media` block.
    const prelude = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('}')) + 1)
    if (prelude.trimStart().startsWith('@')) {
      index = /^\s*@media\s+(?:only\s+)?(?:screen|all)\s*$/i.test(prelude.slice(0, 80))
        ? open + 1
        : skipBlock(css, open)
      continue
    }
    const end = css.indexOf('}', open)
    const close = end < 0 ? css.length : end
    yield { selectors: prelude, body: css.slice(open + 1, close) }
    index = close + 1
  }
}

function skipBlock(css: string, open: number): number {
  let depth = 0
  for (let index = open; index < css.length; index++) {
    const character = css.charCodeAt(index)
    if (character === 0x7b) depth++
    else if (character === 0x7d && --depth === 0) return index + 1
  }
  return css.length
}
