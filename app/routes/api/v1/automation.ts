import { z } from 'zod';
import { SettingsChange } from '#app/domain/automation/schema.ts';
import { getSettings, type Settings as SettingsRow } from '#app/domain/automation/settings.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, text } from '#app/http/api/schemas.ts';

const Settings = z
  .object({
    postsPerDay: count,
    contentCreationTime: text('08:00'),
    publishTimes: z.array(text('09:00')),
    publishDays: z.array(text('monday')),
    daysOff: z.array(text('2027-12-24')),
    enabled: z.boolean(),
    requireApproval: z.boolean(),
    timeZone: text('Europe/Berlin'),
  })
  .meta({ id: 'AutomationSettings' });
type Settings = z.infer<typeof Settings>;

const OneSettings = z.object({ settings: Settings });

const settingsShape = (settings: SettingsRow): Settings => ({
  postsPerDay: settings.postsPerDay,
  contentCreationTime: settings.contentCreationTime,
  publishTimes: settings.publishTimes,
  publishDays: [...settings.publishDays],
  daysOff: [...settings.daysOff],
  enabled: settings.enabled,
  requireApproval: settings.requireApproval,
  timeZone: settings.timeZone,
});

export const automationCalls: Calls = {
  '/automation/settings': {
    GET: endpoint({
      summary: 'Returns when posts are written and published',
      access: 'user',
      response: OneSettings,
      handle: async ({ db, actor }) => ({ settings: settingsShape(await getSettings(db, actor)) }),
    }),
    PUT: endpoint({
      summary: 'Changes when posts are written and published',
      access: 'user',
      input: SettingsChange,
      example: { publishTimes: ['09:00', '17:30'], requireApproval: true },
      response: OneSettings,
      handle: async ({ db, actor, input }) => ({
        settings: settingsShape(await saveSettings(db, actor, input)),
      }),
    }),
  },
};
