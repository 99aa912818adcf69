import type { Attributes } from './read-tags.ts'

const IDS_MAX = 100

/** Finds the hidden elements that a person can open: a visible link or button with words leads to them. */
export class OpenedText {
  readonly #hidden = new Set<string>()
  readonly #targets = new Set<string>()

  addHidden(id: string | undefined): void {
    if (id !== undefined && this.#hidden.size < IDS_MAX) this.#hidden.add(id)
  }

  /** A link without words cannot be seen. */
  addTarget(id: string, words: string): void {
    if (words.trim() !== '' && this.#targets.size < IDS_MAX) this.#targets.add(id)
  }

  listIds(): ReadonlySet<string> {
    return this.#hidden.intersection(this.#targets)
  }
}

/** Returns the id of the element that a link or button opens; null if it opens none. */
export function targetOf(tag: string, attributes: Attributes): string | null {
  const target =
    attributes['data-bs-target'] ?? attributes['data-target'] ?? (tag === 'a' ? attributes.href : undefined)
  if (target?.startsWith('#') && target.length > 1) return target.slice(1)
  return attributes['aria-controls'] ?? attributes.popovertarget ?? null
}
