/**
 * The items of a JSON-LD script, however it was pasted in: wrapped for old browsers, several objects in a row, with
 * trailing commas or line breaks within strings. What cannot be understood is left out.
 */
export function parseJsonLd(script: string): unknown[] {
  if (script.length > SCRIPT_MAX) return []
  const items: unknown[] = []
  for (const value of valuesOf(script.replaceAll('<![CDATA[', ''))) collect(value, items, 0)
  return items
}

const SCRIPT_MAX = 256 * 1024
const DEPTH_MAX = 64
const VALUES_MAX = 50

function collect(value: unknown, items: unknown[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 4 || items.length >= VALUES_MAX) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, VALUES_MAX)) collect(item, items, depth + 1)
    return
  }
  const graph: unknown = Reflect.get(value, '@graph')
  if (Array.isArray(graph)) {
    const { '@graph': _, '@context': __, ...rest } = value as Record<string, unknown>
    if ('@type' in rest) items.push(rest)
    collect(graph, items, depth + 1)
  } else items.push(value)
}

function valuesOf(script: string): unknown[] {
  const found: unknown[] = []
  for (const text of splitValues(script)) {
    if (found.length >= VALUES_MAX) break
    try {
      found.push(JSON.parse(text))
    } catch {
      // Not JSON even so: another script's business.
    }
  }
  return found
}

/**
 * Every outermost `{…}` or `[…]`, without trailing commas and with line breaks in strings escaped. What stands between
 * them (comments, CDATA marks, commas, semicolons) is passed over. One walk over the text.
 */
function splitValues(script: string): string[] {
  const values: string[] = []
  let value = ''
  let depth = 0
  let deepest = 0
  let copied = 0
  let comma = -1
  let isInString = false
  for (let place = 0; place < script.length && values.length < VALUES_MAX; place++) {
    const character = script.charAt(place)
    if (isInString) {
      if (character === '\\') place++
      else if (character === '"') isInString = false
      else if (character < ' ') {
        value += script.slice(copied, place) + (ESCAPED[character] ?? ' ')
        copied = place + 1
      }
      continue
    }
    if (character === '{' || character === '[') {
      if (depth === 0) [value, copied, deepest] = ['', place, 0]
      deepest = Math.max(deepest, ++depth)
    } else if (depth > 0 && (character === '}' || character === ']')) {
      if (comma >= 0) {
        value += script.slice(copied, comma)
        copied = comma + 1
      }
      if (--depth === 0 && deepest <= DEPTH_MAX) values.push(value + script.slice(copied, place + 1))
    } else if (character === '"' && depth > 0) isInString = true
    if (character === ',') comma = place
    else if (!WHITE.has(character)) comma = -1
  }
  return values
}

const WHITE = new Set([' ', '\n', '\r', '\t'])
const ESCAPED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
