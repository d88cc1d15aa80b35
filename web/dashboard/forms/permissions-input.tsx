import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CUSTOM_AREAS, READ_ONLY_AREAS } from './roles.ts';

const LEVELS = ['none', 'read', 'write'] as const;

interface PermissionsProps {
  value: unknown;
  change: (value: unknown) => void;
}

/** What a Custom member may do: none, read or write of each area. */
export function PermissionsInput({ value, change }: PermissionsProps) {
  const { t, tName } = useLocale();
  const { workspace } = useStore();
  const levels = (typeof value === 'object' && value !== null ? value : {}) as Record<string, string>;
  const set = (area: string, level: string) => {
    const { [area]: _before, ...others } = levels;
    change(level === 'none' ? others : { ...others, [area]: level });
  };
  return (
    <table className="permission-table" aria-label={t('team.permissionsOf', { workspace: workspace.name })}>
      <thead>
        <tr>
          <th scope="col">{t('team.area')}</th>
          {LEVELS.map((level) => (
            <th key={level} scope="col">
              {tName('level.', level)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {CUSTOM_AREAS.map((area) => (
          <tr key={area}>
            <th scope="row">{tName('area.', area)}</th>
            {LEVELS.map((level) => (
              <td key={level}>
                {level === 'write' && READ_ONLY_AREAS.includes(area) ? null : (
                  <input
                    type="radio"
                    name={`permission-${area}`}
                    aria-label={`${tName('area.', area)}: ${tName('level.', level)}`}
                    checked={(levels[area] ?? 'none') === level}
                    onChange={() => set(area, level)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
