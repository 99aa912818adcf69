import { type Passage, sentenceAt } from '../extract/passages.ts'
import type { Span } from '../extract/sentences.ts'

/** The sentences around the facts are quoted up to this length; the facts themselves are never cut. */
const QUOTE_MAX = 320
/** Longer facts are not a name, number or postcode. */
const FACT_MAX = 200
const GAP = ' … '

/** Quotes the sentences that contain these facts or, if those are too long, the words around each fact. */
export function quoteOf(passage: Pick<Passage, 'text' | 'sentences'>, facts: readonly Span[]): string {
  const { text } = passage
  const sentences = facts.map((fact) => sentenceAt(passage, fact.start))
  const whole = {
    start: Math.min(...sentences.map(({ start }) => start), ...facts.map(({ start }) => start)),
    end: Math.max(...sentences.map(({ end }) => end), ...facts.map(({ end }) => end)),
  }
  const plain = plainWords(text.slice(whole.start, whole.end))
  if (plain.length <= QUOTE_MAX) return plain
  const pieces = widen(text, whole, facts.map(clip))
  const words = pieces.map(({ start, end }) => plainWords(text.slice(start, end))).join(GAP)
  const [before, after] = [(pieces[0]?.start ?? 0) > whole.start, (pieces.at(-1)?.end ?? 0) < whole.end]
  return `${before ? '… ' : ''}${words}${after ? ' …' : ''}`
}

const clip = ({ start, end }: Span): Span => ({ start, end: Math.min(end, start + FACT_MAX) })

/** Extends each fact by the words around it; facts that then touch become one piece. */
function widen(text: string, whole: Span, facts: readonly Span[]): Span[] {
  const taken = facts.reduce((sum, { start, end }) => sum + end - start, 0)
  const around = Math.max(0, Math.floor((QUOTE_MAX - taken) / facts.length / 2))
  const pieces: Span[] = []
  for (const fact of facts.toSorted((one, other) => one.start - other.start)) {
    const start = wordStart(text, Math.max(whole.start, fact.start - around), fact.start)
    const end = wordEnd(text, fact.end, Math.min(whole.end, fact.end + around))
    const last = pieces.at(-1)
    if (last && start <= last.end + 1) last.end = Math.max(last.end, end)
    else pieces.push({ start, end })
  }
  return pieces
}

/** Returns the start of the first word between `from` and the fact. */
function wordStart(text: string, from: number, fact: number): number {
  if (from === 0 || /\s/.test(text[from - 1] ?? '')) return from
  const gap = text.slice(from, fact).search(/\s/)
  return gap === -1 ? fact : from + gap + 1
}

function wordEnd(text: string, fact: number, to: number): number {
  if (to >= text.length || /\s/.test(text[to] ?? '')) return to
  const gap = text.slice(fact, to).search(/\s\S*$/)
  return gap === -1 ? fact : fact + gap
}

const plainWords = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
