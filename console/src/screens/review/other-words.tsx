import type { ReviewDetail } from '../../api/bodies.ts'
import { Card } from '../../ui/parts.tsx'
import { Quoted } from '../resolve/proof.tsx'

/** Shows the quotes that are about none of the candidates. */
export function OtherWords({ review: { candidates, evidence } }: { review: ReviewDetail }) {
  const numbers = new Set(candidates.map(({ company_number: number }) => number))
  const others = evidence.filter(({ supports }) => supports === null || !numbers.has(supports))
  if (others.length === 0) return null
  return (
    <Card title="Other quotes from the site">
      <ul className="list">
        {others.map((item) => (
          <Quoted key={item.kind + item.url + item.quote} item={item} about={null} />
        ))}
      </ul>
    </Card>
  )
}
