/** Which of two forms of the same answer a request asks for (RFC 9110, 12.5.1). Pure. */

const PARTS_MAX = 50

interface Range {
  type: string
  weight: number
}

/**
 * True when the header prefers this media type to the one that is sent by default. Of two with the same weight the more exact one is
 * preferred, then the one that is named first.
 */
export function prefersType(accept: string | undefined, type: string, byDefault: string): boolean {
  const ranges = parseAccept(accept ?? '')
  const [wanted, other] = [findRange(ranges, type), findRange(ranges, byDefault)]
  if (wanted === null || wanted.weight === 0) return false
  if (other === null || wanted.weight !== other.weight) return wanted.weight > (other?.weight ?? 0)
  if (wanted.exactness !== other.exactness) return wanted.exactness > other.exactness
  return wanted.index < other.index
}

function parseAccept(header: string): Range[] {
  return header
    .split(',', PARTS_MAX)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      const weight = parameters.find((word) => word.startsWith('q='))
      return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ type }) => type !== '')
}

/** Returns the most exact range that has the type: itself, its family, then everything. */
function findRange(ranges: readonly Range[], type: string) {
  const forms = ['*/*', `${type.split('/')[0]}/*`, type]
  for (let exactness = forms.length - 1; exactness >= 0; exactness -= 1) {
    const index = ranges.findIndex((range) => range.type === forms[exactness])
    if (index >= 0) return { weight: ranges[index]?.weight ?? 0, exactness, index }
  }
  return null
}
