import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { Builder, By, Capabilities, until, type WebDriver, type WebElement } from "selenium-webdriver";
import { DriverService } from "selenium-webdriver/remote/index.js";

// Deadlines only end what hangs.
const deadline = 60_000;

/**
 * Runs `walk` in a WebKit of its own, on a virtual screen. WEBKIT_DRIVER is the path of WebKit's driver, which
 * tools/webkit.sh prints.
 */
export async function inWebKit(walk: (browser: WebKit) => Promise<void>) {
  const path = process.env.WEBKIT_DRIVER;
  if (!path) throw new Error("set WEBKIT_DRIVER to the path that tools/webkit.sh prints");
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  let service: DriverService | undefined;
  try {
    service = new DriverService.Builder(path)
      .setLoopback(true)
      .setEnvironment({ ...environment(), DISPLAY: `:${await displayOf(screen)}` })
      .build();
    const address = await service.start(deadline);
    const driver = await new Builder().usingServer(address).withCapabilities(new Capabilities({ browserName: "MiniBrowser" })).build();
    try {
      await walk(new WebKit(driver));
    } finally {
      await driver.quit();
    }
  } finally {
    await service?.kill();
    screen.kill();
  }
}

/** Returns the number of the display that Xvfb writes when the display is ready. */
async function displayOf(screen: ChildProcess): Promise<string> {
  const [chunk] = (await Promise.race([
    once(screen.stdio[3] as Readable, "data"),
    once(screen, "exit").then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code}`))),
  ])) as [Buffer];
  return chunk.toString().trim();
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Finds elements of a page in WebKit as a person does, by their visible texts, and waits until they appear. */
export class WebKit {
  constructor(private readonly driver: WebDriver) {}

  open(address: string) {
    return this.driver.get(address);
  }

  /** Returns the visible element of the page, or of `inside`, that `xpath` finds. */
  async find(xpath: string, inside?: WebElement): Promise<WebElement> {
    return this.driver.wait(async () => {
      for (const element of await (inside ?? this.driver).findElements(By.xpath(xpath))) {
        if (await element.isDisplayed().catch(() => false)) return element;
      }
      return null;
    }, deadline, `nothing visible matches ${xpath}`) as Promise<WebElement>;
  }

  /** Clicks the button whose accessible name begins with `name`, when it is enabled. */
  async press(name: string, inside?: WebElement) {
    const text = JSON.stringify(name);
    const button = await this.find(`.//button[starts-with(normalize-space(.), ${text}) or starts-with(@aria-label, ${text})]`, inside);
    await this.driver.wait(until.elementIsEnabled(button), deadline, `the button ${name} stays disabled`);
    await button.click();
  }

  /** Types `text` into the field with the given label. */
  async type(label: string, text: string) {
    const id = await (await this.find(`.//label[starts-with(normalize-space(.), ${JSON.stringify(label)})]`)).getAttribute("for");
    await this.driver.findElement(By.id(id ?? "")).sendKeys(text);
  }

  /** Waits until `text` is visible. */
  see(text: string, inside?: WebElement) {
    return this.find(`.//*[text()[contains(normalize-space(.), ${JSON.stringify(text)})]]`, inside);
  }
}
