import type { Explanation } from '../../api/bodies.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/parts.tsx'
import { showShare } from '../../ui/words.ts'
import { Waterfall } from './waterfall.tsx'

/** Shows why a company is the answer, or the best candidate: a checklist first, and the arithmetic behind it. */
export function Argument({ explanation, confidence, about }: ArgumentProps) {
  const { checklist } = explanation
  const met = checklist.filter((check) => check.met).length
  return (
    <Card title="Checklist" aside={checklist.length > 0 && <p>{`${met} of ${checklist.length}`}</p>}>
      {about !== undefined && <p className="small soft">For {about}, the best candidate.</p>}
      <ul className="checklist">
        {checklist.map(({ name, met: isMet, says }) => (
          <li key={name} className={isMet ? 'met' : 'unmet'}>
            <Icon name={isMet ? 'check' : 'x'} />
            <span>
              <span className="visually-hidden">{isMet ? 'Yes: ' : 'No: '}</span>
              {says}
            </span>
          </li>
        ))}
      </ul>
      <details open={checklist.length === 0}>
        <summary>The arithmetic{confidence === null ? '' : `: why we state ${showShare(confidence)}`}</summary>
        <Waterfall explanation={explanation} />
      </details>
    </Card>
  )
}

interface ArgumentProps {
  explanation: Explanation
  confidence: number | null
  /** The candidate's name, where there are several. */
  about?: string | undefined
}
