// A file of millions of rows holds a few dozen labels and some ten thousand dates.
const RESULTS_MAX = 50_000

/** Returns the same function with its results stored by their text. */
export function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const found = compute(text)
    if (results.size >= RESULTS_MAX) results.clear()
    // Fields are slices of a whole piece of the file; storing one must not keep the piece alive.
    results.set(Buffer.from(text).toString(), found)
    return found
  }
}
