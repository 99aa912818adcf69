import { BlockWriter } from './block-writer.ts'
import { cleanLine, LINE_BREAK } from './clean-text.ts'
import type { PageDocument } from './document.ts'
import { type ElementKind, kindOf } from './element-kinds.ts'
import { OpenElements } from './open-elements.ts'
import { OpenedText, targetOf } from './opened-text.ts'
import { createElement, createRootElement, isUnread, type PageElement } from './page-element.ts'
import {
  BrandHints,
  isHomeOf,
  isLogo,
  LinkList,
  noHeadFacts,
  readLink,
  readMeta,
  TextCollectors,
  toWebAddress,
} from './page-facts.ts'
import type { Attributes, TagReader } from './read-tags.ts'
import { readElementNames } from './region.ts'
import { Microdata, parseJsonLd } from './structured-data.ts'
import { isHidden } from './style-declarations.ts'
import type { Stylesheet } from './stylesheet.ts'

interface OpenLink {
  href: string
  isHome: boolean
  text: () => string
  imageText: string
  label: string
  element: PageElement
}

/** Builds a document from the tags and text of a page. */
export class PageReader implements TagReader {
  /** A style that hides something came after text that it may hide. */
  hasLateHidingRule = false

  readonly #url: string
  readonly #host: string
  readonly #sheet: Stylesheet
  readonly #root = createRootElement()
  readonly #elements = new OpenElements<PageElement>((element) => this.#onClose(element))
  readonly #writer = new BlockWriter()
  readonly #links = new LinkList()
  readonly #brands = new BrandHints()
  readonly #microdata = new Microdata()
  readonly #collectors = new TextCollectors()
  readonly #openedText = new OpenedText()
  readonly #opened: ReadonlySet<string>
  readonly #facts = noHeadFacts()
  readonly #jsonLd: unknown[] = []
  #base: string
  #hasBase = false
  #elementsSeen = 0
  #scripts = 0
  #drawings = 0
  #link: OpenLink | null = null
  /** The text of the script, style or title that is open now. */
  #raw: string | null = null

  /** `opened` are the ids of elements that are read although they are hidden at first. */
  constructor(url: string, sheet: Stylesheet, opened: ReadonlySet<string> = new Set()) {
    this.#opened = opened
    this.#url = url
    this.#host = URL.parse(url)?.hostname ?? ''
    this.#base = url
    this.#sheet = sheet
  }

  isFull(): boolean {
    return this.#writer.isFull
  }

  isInDrawing(): boolean {
    return this.#drawings > 0
  }

  open(tag: string, attributes: Attributes, isSelfClosing: boolean): void {
    const kind = kindOf(tag)
    if (this.#drawings > 0 && kind.endsDrawing) this.#drawings = 0
    if (tag === 'svg' && !isSelfClosing) this.#drawings++
    if (this.#drawings > 0) return
    if (kind.isUntracked) this.#openUntracked(tag, attributes)
    else {
      this.#elements.closeImplied(tag, kind)
      if (kind.isVoid) this.#readVoid(tag, attributes)
      else {
        if (kind.isCell) this.#openMissingRow()
        this.#openElement(tag, kind, attributes)
      }
    }
  }

  close(tag: string): void {
    const kind = kindOf(tag)
    if (this.#drawings > 0) {
      if (tag === 'svg') this.#drawings--
      if (!kind.endsDrawing) return
      this.#drawings = 0
    }
    if (kind.isBlock) this.#endText()
    if (tag === 'br') this.#breakLine()
    // A link ends even if a block inside it is still open.
    if (!this.#elements.close(tag, kind) && tag === 'a') this.#endLink()
  }

  text(text: string): void {
    if (this.#raw !== null) {
      if (this.#raw.length <= RAW_TEXT_MAX) this.#raw += text
      return
    }
    const element = this.#innermost
    if (this.#drawings > 0) return
    // The words of a button are not text of the page, but may be all that a link shows.
    if (element.isButton && !isHidden(element.hiding)) this.#collectors.add(text)
    if (isUnread(element)) return
    const shown = element.isReversed ? Array.from(text).reverse().join('') : text
    this.#writer.write(
      element.isPreformatted ? shown.replaceAll(/\r\n?|\n/g, LINE_BREAK) : shown,
      element,
      this.#link?.href ?? null,
    )
    this.#collectors.add(shown)
  }

  /** Returns the ids of hidden elements that a visible link or button opens. */
  listOpened(): ReadonlySet<string> {
    return this.#openedText.listIds()
  }

  finish(isCut: boolean): PageDocument {
    this.#elements.closeAll()
    this.#endLink()
    this.#writer.finish()
    const { blocks, visibleCharacters, isFull } = this.#writer
    return {
      ...this.#facts,
      blocks,
      links: this.#links.links,
      mailHosts: [...this.#links.mailHosts],
      brandHints: this.#brands.texts,
      structuredData: [...this.#jsonLd, ...this.#microdata.items].slice(0, STRUCTURED_MAX),
      visibleCharacters,
      scripts: this.#scripts,
      cut: isCut || isFull,
    }
  }

  get #innermost(): PageElement {
    return this.#elements.innermost ?? this.#root
  }

  #endText(): void {
    this.#writer.endRun()
    this.#collectors.add(' ')
  }

  #breakLine(): void {
    const element = this.#innermost
    if (isUnread(element)) return
    this.#writer.breakLine(element, this.#link?.href ?? null)
    this.#collectors.add(' ')
  }

  #openUntracked(tag: string, attributes: Attributes): void {
    this.#endText()
    if (tag === 'html' && attributes.lang) this.#facts.language ??= cleanLine(attributes.lang, 40) || null
    if (tag !== 'form') this.#root.item = this.#microdata.open(tag, attributes, this.#root.item).item
  }

  #openMissingRow(): void {
    if (this.#elements.has('table') && this.#innermost.kind.isTableBody) this.#openElement('tr', kindOf('tr'), {})
  }

  #readVoid(tag: string, attributes: Attributes): void {
    const outer = this.#innermost
    if (tag === 'br') this.#breakLine()
    else if (tag === 'hr') this.#endText()
    if (outer.isDropped) return
    const isShown = !isHidden(outer.hiding)
    if (tag === 'meta') readMeta(this.#facts, attributes, this.#base)
    else if (tag === 'link') readLink(this.#facts, attributes, this.#base)
    else if (tag === 'base') this.#readBase(attributes.href)
    else if (tag === 'frame') this.#addLink(attributes.src, attributes.title ?? attributes.name, outer)
    else if (tag === 'area' && isShown) this.#addLink(attributes.href, attributes.alt ?? attributes.title, outer)
    else if (tag === 'img' && isShown) this.#readImage(attributes, outer)
    if (attributes.itemprop !== undefined || attributes.property !== undefined) {
      this.#microdata.open(tag, attributes, outer.item)
    }
  }

  /** Only the first `<base>` counts. */
  #readBase(href: string | undefined): void {
    if (this.#hasBase) return
    this.#base = toWebAddress(href ?? '', this.#url) ?? this.#url
    this.#hasBase = href !== undefined
  }

  #addLink(href: string | undefined, text: string | undefined, { region }: PageElement): void {
    const address = this.#links.resolve(href, this.#base)
    if (address !== null) this.#links.add(address, text ?? '', region)
  }

  #readImage(attributes: Attributes, outer: PageElement): void {
    const alt = attributes.alt ?? ''
    if (this.#link !== null) this.#link.imageText ||= alt
    if (!outer.isThirdParty && (this.#link?.isHome || isLogo(attributes))) this.#brands.add(alt)
  }

  #openElement(tag: string, kind: ElementKind, attributes: Attributes): void {
    const outer = this.#innermost
    if (this.#elements.isDeep && (!kind.isDropped || outer.isDropped)) {
      this.#elements.count(tag)
      if (kind.isBlock) this.#endText()
      return
    }
    const names = readElementNames(attributes)
    const style = this.#sheet.styleOf(attributes)
    const isOpened = attributes.id !== undefined && this.#opened.has(attributes.id)
    const element = createElement(outer, { id: ++this.#elementsSeen, tag, kind, attributes, names, style, isOpened })
    this.#noteOpening(element, attributes, outer)
    if (element.isDropped) this.#openDropped(element, attributes, outer)
    else this.#openRead(element, attributes, outer, names.isBrand)
    this.#elements.push(element)
  }

  #noteOpening(element: PageElement, attributes: Attributes, outer: PageElement): void {
    if (isHidden(element.hiding)) {
      if (!isHidden(outer.hiding)) this.#openedText.addHidden(attributes.id)
      return
    }
    const target = targetOf(element.tag, attributes)
    if (target === null) return
    const words = this.#collectors.open()
    onClose(element, () => this.#openedText.addTarget(target, words()))
  }

  #openDropped(element: PageElement, attributes: Attributes, outer: PageElement): void {
    if (outer.isDropped) return
    if (element.tag === 'script') this.#openScript(element, attributes.type?.trim().toLowerCase() ?? '')
    else if (element.tag === 'style' && /^\s*(?:screen|all|)\s*$/i.test(attributes.media ?? '')) {
      this.#raw = ''
      onClose(element, () => {
        if (this.#sheet.add(this.#takeRaw()) && this.#writer.hasText) this.hasLateHidingRule = true
      })
    } else if (element.tag === 'title') {
      this.#raw = ''
      onClose(element, () => {
        this.#facts.title ||= cleanLine(this.#takeRaw(), TITLE_MAX)
      })
    }
  }

  #openScript(element: PageElement, type: string): void {
    if (type.startsWith('application/ld+json')) {
      this.#raw = ''
      onClose(element, () => {
        const items = this.#jsonLd.length < STRUCTURED_MAX ? parseJsonLd(this.#takeRaw()) : []
        this.#jsonLd.push(...items.slice(0, STRUCTURED_MAX))
        this.#raw = null
      })
    } else if (type === '' || type === 'module' || type.includes('script')) this.#scripts++
  }

  #takeRaw(): string {
    const raw = this.#raw ?? ''
    this.#raw = null
    return raw
  }

  #openRead(element: PageElement, attributes: Attributes, outer: PageElement, isBrand: boolean): void {
    if (element.box !== outer.box) {
      this.#collectors.add(' ')
      this.#writer.openBox(element.box)
    }
    const { item, property } = this.#microdata.open(element.tag, attributes, outer.item)
    element.item = item
    if (property !== null) {
      const text = this.#collectors.open()
      onClose(element, () => this.#microdata.close(property, cleanLine(text(), PROPERTY_TEXT_MAX)))
    }
    if (isHidden(element.hiding)) return
    if (element.tag === 'a') this.#openLink(element, attributes)
    if (isBrand && !element.isThirdParty && !this.#brands.isFull) {
      const text = this.#collectors.open()
      onClose(element, () => this.#brands.add(text()))
    }
  }

  #openLink(element: PageElement, attributes: Attributes): void {
    const href = this.#links.resolve(attributes.href, this.#base)
    if (href === null) return
    this.#link = {
      href,
      isHome: !this.#brands.isFull && isHomeOf(href, this.#host),
      text: this.#collectors.open(),
      imageText: '',
      label: attributes['aria-label'] ?? attributes.title ?? '',
      element,
    }
  }

  #endLink(): void {
    const link = this.#link
    if (link === null) return
    this.#link = null
    const text = link.text().trim() || link.imageText || link.label
    this.#links.add(link.href, text, link.element.region)
    if (link.isHome && !link.element.isThirdParty) this.#brands.add(text)
  }

  #onClose(element: PageElement): void {
    if (this.#link?.element === element) this.#endLink()
    if (element.onClose !== null) for (const action of element.onClose) action()
    if (element.isBox) {
      this.#writer.closeBox(element.box)
      this.#collectors.add(' ')
    }
  }
}

function onClose(element: PageElement, action: () => void): void {
  element.onClose ??= []
  element.onClose.push(action)
}

const RAW_TEXT_MAX = 1_000_000
const TITLE_MAX = 500
const PROPERTY_TEXT_MAX = 2_000
const STRUCTURED_MAX = 50
