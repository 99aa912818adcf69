import { useState } from 'react'
import { Card } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { readTheme, setTheme, type Theme } from '../../ui/theme.ts'

const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export function ThemeChoice() {
  const [theme, choose] = useState<Theme>(readTheme)
  const change = (next: Theme) => {
    setTheme(next)
    choose(next)
  }
  return (
    <Card title="Appearance">
      <div className="stack-small">
        <p className="soft">In this browser only.</p>
        <div>
          <Segments label="Theme" choices={THEMES} value={theme} onChange={change} />
        </div>
      </div>
    </Card>
  )
}
