/** A piece of a text, by offsets. */
export interface Span {
  start: number
  end: number
}

/** A dot after these does not end a sentence. */
const ABBREVIATIONS =
  /(?:\b(?:ltd|co|no|nos|reg|regd|inc|corp|st|rd|ave|mr|mrs|ms|dr|prof|tel|fax|ext|est|approx|dept|bros|vs|etc|p\.l\.c|l\.l\.p|pte|pty|pvt|cyf|incl|messrs|hon|jr|sr|e\.g|i\.e|u\.k|s\.r\.l|b\.v|n\.v|sp|z|o\.o|oo)|\b[A-Z])$/i

/**
 * Splits a block into sentences at full stops, line breaks, and the bars, bullets and long dashes that footers use instead.
 */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  const push = (end: number) => {
    let [from, to] = [start, end]
    while (from < to && /\s/.test(text[from] ?? '')) from += 1
    while (to > from && /\s/.test(text[to - 1] ?? '')) to -= 1
    if (to > from) spans.push({ start: from, end: to })
  }
  for (const match of text.matchAll(/\n|[.!?](?=["”’)\]]*\s)|\s[|·•‧∙–—-]\s|[|•]/g)) {
    const at = match.index
    if (at < start) continue
    if (match[0] === '.' && !endsSentence(text, at)) continue
    // "You will see Example Ltd on your statement – that is us": a dash before a small letter is inside a sentence.
    if (/[–—-]/.test(match[0]) && /^\p{Ll}/u.test(text.slice(at + match[0].length))) continue
    push(at)
    start = at + match[0].length
  }
  push(text.length)
  return spans
}

/** True if the dot ends a sentence. After an abbreviation, only if a new sentence clearly begins. */
function endsSentence(text: string, dot: number): boolean {
  const before = text.slice(Math.max(0, dot - 12), dot)
  if (!ABBREVIATIONS.test(before)) return true
  // "… Example Ltd. Registered in England": the dot ends both the abbreviation and the sentence.
  const after = text.slice(dot + 1, dot + 40)
  return (
    /(?:ltd|inc|corp|co|plc|llp)$/i.test(before) &&
    /^\s*(?:Registered|Company|Reg\b|Co\b|VAT|This|The|Our|We|All|It|In|Its|For|You|Your|A|An|Part|Website|Site|Designed|Powered|Trading|Incorporated|Authorised|Cofrestrwyd|Rhif)\b/.test(
      after,
    )
  )
}
