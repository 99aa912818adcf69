import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkWatched } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Form, TextArea } from '../../ui/fields.tsx'
import { Badge, Button, Problem } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { plural, showNumber } from '../../ui/words.ts'
import { useWatchlistChanged } from '../../watching/watchlist.ts'

export function AddMany({ list }: { list: string }) {
  const [pasted, setPasted] = useState('')
  const refresh = useWatchlistChanged()
  const add = useMutation({
    mutationFn: (numbers: string[]) =>
      callApi<BulkWatched>('POST', '/v1/watchlist/bulk', { body: { company_numbers: numbers, list }, isOnce: true }),
    onSuccess: () => {
      setPasted('')
      return refresh()
    },
  })
  const numbers = readPasted(pasted)
  const isTooMany = numbers.length > NUMBERS_MAX
  const submit = () => {
    if (numbers.length > 0 && !isTooMany) add.mutate(numbers)
  }
  return (
    <details>
      <summary>Add many at once</summary>
      <Form className="stack-small many" onSubmit={submit}>
        <TextArea
          label="Company numbers"
          hint={`One per line or separated by commas, up to ${showNumber(NUMBERS_MAX)}.`}
          problem={isTooMany ? `The list has ${showNumber(numbers.length)}. Send them in smaller groups.` : undefined}
          className="mono"
          value={pasted}
          onChange={setPasted}
          placeholder={'07214938\nSC123456'}
          spellCheck={false}
          rows={5}
        />
        <div>
          <Button type="submit" busy={add.isPending} disabled={numbers.length === 0 || isTooMany}>
            {numbers.length === 0 ? 'Watch these' : `Watch ${plural(numbers.length, 'company', 'companies')}`}
          </Button>
        </div>
        {add.isError && <Problem error={add.error} />}
        {add.data && <ManyOutcome answer={add.data} />}
      </Form>
    </details>
  )
}

type Outcome = BulkWatched['data'][number]['outcome']

/** In display order: problems to fix come first. */
const OUTCOMES: Record<Outcome, { tone: Tone; word: string }> = {
  invalid: { tone: 'bad', word: 'Not a company number' },
  not_found: { tone: 'bad', word: 'Not found' },
  limit_reached: { tone: 'warn', word: 'Watchlist is full' },
  already_watched: { tone: 'neutral', word: 'Already watched' },
  watched: { tone: 'good', word: 'Watched' },
}
const ORDER = Object.keys(OUTCOMES) as Outcome[]

/** Shows the result for each number. */
function ManyOutcome({ answer }: { answer: BulkWatched }) {
  const { counts, data } = answer
  const rows = data.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
  return (
    <div className="stack-small" role="status">
      <p>
        <strong>{plural(counts.watched, 'company is', 'companies are')} watched now.</strong>{' '}
        {ORDER.filter((outcome) => outcome !== 'watched' && counts[outcome] > 0)
          .map((outcome) => `${OUTCOMES[outcome].word}: ${showNumber(counts[outcome])}.`)
          .join(' ')}
      </p>
      {counts.not_found > 0 && (
        <p className="small soft">
          A very new company may not be in our copy of the register yet. Add it alone above, and we look it up in the
          register.
        </p>
      )}
      <div className="outcomes" tabIndex={0} role="region" aria-label="Result for each number">
        <ul className="list small">
          {rows.map(({ company_number: number, outcome }, index) => (
            <li key={index} className="row spread">
              <span className="mono">{number}</span>
              <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].word}</Badge>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The limits of one API call. */
const NUMBERS_MAX = 1_000
const NUMBER_CHARACTERS_MAX = 100

/** Reads pasted numbers from lines, commas or columns, and returns each one once. `SC 12345` stays one number. */
function readPasted(text: string): string[] {
  const pieces = text.split(/[\n\r\t,;]+/).flatMap((piece) => {
    const trimmed = piece.trim()
    return /^[a-z]{2}\s+\d+$/i.test(trimmed) ? [trimmed] : trimmed.split(/\s+/)
  })
  return [...new Set(pieces.map((piece) => piece.slice(0, NUMBER_CHARACTERS_MAX)).filter((piece) => piece !== ''))]
}
