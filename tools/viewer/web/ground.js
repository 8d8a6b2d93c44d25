// The ground: a grid that fades out, its finer lines where one is near, and the shadow of the machine on it.
import * as THREE from "three";

const vertex = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragment = `
varying vec2 place;
uniform vec3 colour;
uniform float cell, reach, strength;
uniform vec2 middle;
// Far away, where several lines fall on one pixel, they would be a grey haze.
float lines(float spacing, float width) {
  vec2 at = place / spacing;
  vec2 pixel = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / pixel;
  return (1.0 - min(min(near.x, near.y) / width, 1.0)) * (1.0 - smoothstep(0.1, 0.5, max(pixel.x, pixel.y)));
}
void main() {
  float away = distance(place, middle) / reach;
  float fade = pow(max(0.0, 1.0 - away), 1.6);
  float ink = max(0.45 * lines(cell, 1.0), lines(cell * 5.0, 1.2));
  gl_FragColor = vec4(colour, ink * fade * strength);
}`;

/// 1, 2 or 5 times a power of ten, at least `length`.
export const roundLength = (length) => {
  const power = 10 ** Math.floor(Math.log10(length));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= length * 0.999);
};

export class Ground {
  constructor(up) {
    this.up = up;
    this.quiet = false; // where a road is what matters
    this.group = new THREE.Group();
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    this.material = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        colour: { value: new THREE.Color() },
        cell: { value: 1 },
        reach: { value: 10 },
        strength: { value: 1 },
        middle: { value: new THREE.Vector2() },
      },
    });
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), this.material);
    this.shadow = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.18 }));
    this.shadow.receiveShadow = true;
    this.group.add(this.grid, this.shadow);
  }

  /// Under everything that happens in `box`.
  place(box, size) {
    const back = this.group.quaternion.clone().invert();
    const own = box.clone().applyMatrix4(new THREE.Matrix4().makeRotationFromQuaternion(back));
    const middle = own.getCenter(new THREE.Vector3());
    const reach = Math.max(own.getSize(new THREE.Vector3()).length(), size) * 2;
    this.cell = roundLength(size / 12);
    this.group.position.copy(this.up).multiplyScalar(own.min.z - size * 0.004);
    for (const mesh of [this.grid, this.shadow]) {
      mesh.geometry.dispose();
      mesh.geometry = new THREE.PlaneGeometry(2 * reach, 2 * reach).translate(middle.x, middle.y, 0);
    }
    this.shadow.position.z = size * 1e-4;
    this.material.uniforms.cell.value = this.cell;
    this.material.uniforms.reach.value = reach;
    this.material.uniforms.middle.value.set(middle.x, middle.y);
  }

  paint(theme) {
    this.material.uniforms.colour.value.set(theme === "dark" ? "#8d99ab" : "#5d6b7e");
    this.material.uniforms.strength.value = (theme === "dark" ? 0.6 : 0.5) * (this.quiet ? 0.4 : 1);
    this.shadow.material.opacity = theme === "dark" ? 0.35 : 0.16;
  }
}
