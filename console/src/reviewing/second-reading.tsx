import type { Resolution } from '../api/bodies.ts'
import { Card } from '../ui/parts.tsx'

type Reading = NonNullable<Resolution['second_reader']>

const HEADLINES: Record<Reading['decision'], string> = {
  match: 'The second reader found the company',
  confirm: 'The second reader agrees',
  object: 'The second reader objects',
}

const EXPLANATIONS: Record<Reading['decision'], string> = {
  match: 'Our rules left this site open. A language model read the same pages and pointed to these words.',
  confirm: 'A language model read the same pages and came to the same company as our rules.',
  object: 'Our rules matched a company. A language model read the same pages and doubts it, because of these words.',
}

/** Shows what the language model said, with its words from the site. */
export function SecondReading({ reading }: { reading: Resolution['second_reader'] }) {
  if (!reading) return null
  return (
    <Card title={HEADLINES[reading.decision]} stacked>
      <p>{reading.reason}</p>
      {reading.quote && (
        <div className="quoted">
          <blockquote>{reading.quote}</blockquote>
          {reading.url && (
            <p className="small soft">
              <a href={reading.url} target="_blank" rel="noreferrer">
                {reading.url}
              </a>
            </p>
          )}
        </div>
      )}
      <p className="small soft">
        {EXPLANATIONS[reading.decision]} {reading.quote && 'We found every one of them on the page. '}Model{' '}
        {reading.model}, instructions {reading.prompt_version}.
      </p>
    </Card>
  )
}
