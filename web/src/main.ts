import "./lib/taste.svelte";
import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { onceNewer } from "./lib/newer";

onceNewer();
mount(App, { target: document.getElementById("app")! });
