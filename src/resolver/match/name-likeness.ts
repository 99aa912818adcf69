/** True for names that differ by a typing error at most. Spaces are ignored. */
export function isNearlySame(oneKey: string, otherKey: string): boolean {
  const [one, other] = [oneKey.replaceAll(' ', ''), otherKey.replaceAll(' ', '')]
  if (one === '' || other === '') return false
  if (one === other) return true
  const longest = Math.max(one.length, other.length)
  if (longest < 6) return false
  return editDistance(one, other) <= Math.max(1, Math.floor(longest * 0.12))
}

/** Returns the Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[other.length] ?? 0
}
