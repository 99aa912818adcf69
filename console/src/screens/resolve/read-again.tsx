import { useEffect, useState } from 'react'
import { Button } from '../../ui/parts.tsx'
import { showTime } from '../../ui/words.ts'

/** The service reads a site at most once in this time, whichever account asks. */
const BETWEEN_READINGS_MS = 15 * 60_000

/** Offers to read the site again, as soon as the service allows it. */
export function ReadAgain({ readAt, onReadAgain }: { readAt: string; onReadAgain: () => void }) {
  const from = Date.parse(readAt) + BETWEEN_READINGS_MS
  const [isEarly, setEarly] = useState(() => Date.now() < from)
  useEffect(() => {
    const wait = from - Date.now()
    if (wait <= 0) return
    const timer = setTimeout(() => setEarly(false), wait)
    return () => clearTimeout(timer)
  }, [from])
  return (
    <div className="row">
      <Button look="quiet" disabled={isEarly} onClick={onReadAgain}>
        Read again
      </Button>
      {isEarly && <span className="small soft">You can read the site again from {showTime(from)}.</span>}
    </div>
  )
}
