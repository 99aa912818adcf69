/** Shares of counts. A share of nothing is null: it was not measured, which is neither 0 nor 1. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

// The 97.5th percentile of the normal distribution: two-sided 95%.
const Z = 1.959963984540054

/**
 * The lower end of Wilson's 95% interval for a proportion. Unlike the plain interval it stays honest where it matters
 * here: 30 right of 30 is no proof of 100%, but of 89%.
 */
export function wilsonLowerBound(successes: number, trials: number): number | null {
  if (trials === 0) return null
  const observed = successes / trials
  const zz = Z * Z
  const centre = observed + zz / (2 * trials)
  const spread = Z * Math.sqrt((observed * (1 - observed) + zz / (4 * trials)) / trials)
  return Math.max(0, (centre - spread) / (1 + zz / trials))
}
