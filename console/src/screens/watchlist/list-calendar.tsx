import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ListCalendar, NewListCalendar } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showDay } from '../../ui/words.ts'

/** The address of a list's due dates, for a calendar program. */
export function ListCalendarCard({ list, name }: { list: string; name: string }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const path = `/v1/watchlists/${list}/calendar`
  const key = ['calendar', list]
  const { data } = useQuery({ queryKey: key, queryFn: ({ signal }) => callApi<ListCalendar>('GET', path, { signal }) })
  const refresh = () => queries.invalidateQueries({ queryKey: key })
  const make = useMutation({ mutationFn: () => callApi<NewListCalendar>('POST', path), onSuccess: refresh })
  const end = useMutation({
    mutationFn: () => callApi<ListCalendar>('DELETE', path),
    onSuccess: async () => {
      make.reset()
      showToast('The calendar address has ended.')
      await refresh()
    },
  })
  if (!data) return null
  const madeAt = data.calendar_made_at
  return (
    <Card title="Due dates in your calendar" stacked>
      <p>
        Google Calendar, Outlook or Apple Calendar can show when accounts, confirmation statements and verifications of
        identity are due at the companies on “{name}”. {madeAt && `There is an address since ${showDay(madeAt)}.`}
      </p>
      {make.data && (
        <ShownOnce
          title="Add this address to your calendar"
          secret={make.data.calendar_url}
          what="the calendar address"
          warning="Everyone who has it can read these dates. We show it only now."
          onKept={() => make.reset()}
        />
      )}
      {make.isError && <Problem error={make.error} />}
      <div className="row tight">
        {madeAt === null ? (
          <Button look="quiet" small busy={make.isPending} onClick={() => make.mutate()}>
            Make an address
          </Button>
        ) : (
          <>
            <ConfirmButton
              text="Make a new address"
              look="quiet"
              small
              title="Make a new address?"
              action="Make a new address"
              change={make}
            >
              <p>The address that is in use ends at once. Calendars that use it show no more dates.</p>
            </ConfirmButton>
            <ConfirmButton
              text="End the address"
              look="quiet"
              small
              title="End the calendar address?"
              action="End the address"
              isFinal
              change={end}
            >
              <p>Calendars that use it show no more dates.</p>
            </ConfirmButton>
          </>
        )}
      </div>
    </Card>
  )
}
