import { accessible } from './support/axe';
import { expect, test } from './support/site';

const page = '/concepts/evidence.html';

test('the picture of a decision follows the reader, by keyboard', async ({ page: tab }) => {
  await tab.goto(page);
  const picture = tab.getByRole('region', { name: 'Picture of a rollout decision' });
  const result = picture.getByRole('status');
  await expect(result).toContainText('Roll back.');
  await picture.getByRole('button', { name: 'A healthy release' }).press('Enter');
  await expect(result).toContainText('Begin the next stage.');
  const crashed = picture.getByRole('slider', { name: 'Devices that crashed' });
  for (let i = 0; i < 4; i++) await crashed.press('ArrowRight');
  await expect(picture.getByRole('spinbutton', { name: 'Devices that crashed' })).toHaveValue('4');
  await expect(result).toContainText('Hold.');
  await expect(result).toContainText('a rate of 1.67%');
  await picture.getByRole('combobox', { name: 'Threshold for crashes' }).selectOption('5%');
  await picture.getByRole('combobox', { name: 'Stage' }).selectOption('3 of 3 (100%)');
  await expect(result).toContainText('Complete the rollout.');
  await expect(picture.getByRole('checkbox')).toBeDisabled();
});

test('every example of the picture has its own outcome', async ({ page: tab }) => {
  await tab.goto(page);
  const picture = tab.getByRole('region', { name: 'Picture of a rollout decision' });
  for (const [example, outcome] of [
    ['A bad release', 'Roll back. The rate is above the threshold with enough evidence'],
    ['A healthy release', 'Begin the next stage.'],
    ['One crash', 'Hold. The rate is above the threshold, without enough evidence'],
    ['One office crashes', 'Begin the next stage.'],
    ['One provider crashes', 'Without the most affected allocation it is 0%.'],
    ['Everything behind one proxy', 'Hold. A decision needs 3 votes of networks. So far there is 1.'],
    ['An app that crashes anyway', 'of the devices outside the rollout'],
  ] as const) {
    await picture.getByRole('button', { name: example, exact: true }).click();
    await expect(picture.getByRole('status')).toContainText(outcome);
  }
  await accessible(tab);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the picture shows its first setting', async ({ page: tab }) => {
    await tab.goto(page);
    await expect(tab.locator('noscript p')).toBeVisible();
    await expect(tab.getByRole('status')).toContainText('the evidence against the release is 413.');
  });
});
