/** Returns a probability as text: 0.985 is "98.5 %". It is never rounded up. */
export function formatShare(probability: number): string {
  const tenths = Math.floor(probability * 1_000 + 1e-6)
  if (tenths === 0 && probability > 0) return 'below 0.1 %'
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`
}
